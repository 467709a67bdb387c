/**
 * The accounts of {@link dev.countersign.server.operators.Operator}s. An {@link
 * dev.countersign.server.operators.OperatorStore} stores and changes them. The packages {@code
 * signin} and {@code sessions} contain the sign-in and the sessions.
 */
@NullMarked
package dev.countersign.server.operators;

import org.jspecify.annotations.NullMarked;
