/** Bounds what a caller may take of the store: time ({@code Deadlines}) and connections. */
@NullMarked
package dev.countersign.server.store.connections;

import org.jspecify.annotations.NullMarked;
