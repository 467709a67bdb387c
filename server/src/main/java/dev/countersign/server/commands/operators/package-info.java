/**
 * The commands {@code operators …}, listed in {@link
 * dev.countersign.server.commands.operators.OperatorAccountCommands}.
 */
@NullMarked
package dev.countersign.server.commands.operators;

import org.jspecify.annotations.NullMarked;
