/** The operators of the service: their accounts, how they sign in, and their sessions. */
@NullMarked
package dev.countersign.server.operators;

import org.jspecify.annotations.NullMarked;
