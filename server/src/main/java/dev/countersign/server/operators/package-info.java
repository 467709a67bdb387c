/**
 * The accounts of {@link dev.countersign.server.operators.Operator}s and their changes, in an
 * {@link dev.countersign.server.operators.OperatorStore}. How they sign in and their sessions are
 * in packages below.
 */
@NullMarked
package dev.countersign.server.operators;

import org.jspecify.annotations.NullMarked;
