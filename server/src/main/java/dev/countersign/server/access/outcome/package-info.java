/**
 * The outcome of a request: a {@link dev.countersign.server.access.outcome.Denial} or an answer,
 * and a {@link dev.countersign.server.access.outcome.CompletedRequest} for observers.
 */
@NullMarked
package dev.countersign.server.access.outcome;

import org.jspecify.annotations.NullMarked;
