/** The command line of integrators: a class a command. */
@NullMarked
package dev.countersign.cli;

import org.jspecify.annotations.NullMarked;
