/** Finds out why a request was refused, from what was signed and what arrived. */
@NullMarked
package dev.countersign.cli.explain;

import org.jspecify.annotations.NullMarked;
