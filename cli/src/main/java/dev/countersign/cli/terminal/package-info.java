/**
 * What a command stands on: {@link dev.countersign.cli.terminal.Environment}, output, exit codes
 * and failures.
 */
@NullMarked
package dev.countersign.cli.terminal;

import org.jspecify.annotations.NullMarked;
