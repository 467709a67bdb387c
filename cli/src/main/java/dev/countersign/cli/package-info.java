/** The command line for integrators, with one class per command. */
@NullMarked
package dev.countersign.cli;

import org.jspecify.annotations.NullMarked;
