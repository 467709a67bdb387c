/**
 * The command line for integrators. {@link dev.countersign.cli.Countersign} is its entry and {@code
 * Commands} lists the commands, each in its own class.
 */
@NullMarked
package dev.countersign.cli;

import org.jspecify.annotations.NullMarked;
