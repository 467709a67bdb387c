/**
 * The parts that every command uses: {@link dev.countersign.cli.terminal.Environment}, output, exit
 * codes and failures.
 */
@NullMarked
package dev.countersign.cli.terminal;

import org.jspecify.annotations.NullMarked;
