/**
 * The parts that the operator's commands share. Start with {@link
 * dev.countersign.server.commands.OperatorContext}, which holds the open store. Each group of
 * commands has its own package.
 */
@NullMarked
package dev.countersign.server.commands;

import org.jspecify.annotations.NullMarked;
