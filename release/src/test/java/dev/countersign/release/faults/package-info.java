/** Makes a cluster fail and checks what partners were told; started by {@code release/faults}. */
@NullMarked
package dev.countersign.release.faults;

import org.jspecify.annotations.NullMarked;
