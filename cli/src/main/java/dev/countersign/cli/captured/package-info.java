/** Reads a raw HTTP request from a file, as a tool or a log recorded it. */
@NullMarked
package dev.countersign.cli.captured;

import org.jspecify.annotations.NullMarked;
