/** Reads a raw HTTP request that a tool or a log recorded in a file. */
@NullMarked
package dev.countersign.cli.captured;

import org.jspecify.annotations.NullMarked;
