/**
 * The path from an unverified request to a caller that handlers may trust: the checks in their
 * order, denials and replay protection.
 */
@NullMarked
package dev.countersign.server.access;

import org.jspecify.annotations.NullMarked;
