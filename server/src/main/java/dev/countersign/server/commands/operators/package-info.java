/**
 * The commands of {@code countersign operators}. {@link
 * dev.countersign.server.commands.operators.OperatorAccountCommands} lists them.
 */
@NullMarked
package dev.countersign.server.commands.operators;

import org.jspecify.annotations.NullMarked;
