/**
 * How a request ends: refused with a {@link dev.countersign.server.access.outcome.Denial}, or
 * answered; and what observers are told of it.
 */
@NullMarked
package dev.countersign.server.access.outcome;

import org.jspecify.annotations.NullMarked;
