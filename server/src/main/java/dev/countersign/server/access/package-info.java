/**
 * The path from a request's signature to a caller that handlers may trust: the order of checks,
 * denials, replay.
 */
@NullMarked
package dev.countersign.server.access;

import org.jspecify.annotations.NullMarked;
