/**
 * The command line for integrators. {@link dev.countersign.cli.Countersign} is its entry point.
 * {@code Commands} lists the commands, each of which has its own class.
 */
@NullMarked
package dev.countersign.cli;

import org.jspecify.annotations.NullMarked;
