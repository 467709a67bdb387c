/**
 * The execution of each write once. {@link dev.countersign.server.once.ReplayGuard} claims a
 * request in the transaction of its write, and {@link dev.countersign.server.once.ReplayFloor}
 * keeps deleted claims from being made again.
 */
@NullMarked
package dev.countersign.server.once;

import org.jspecify.annotations.NullMarked;
