/**
 * What the operator's commands share, first {@link
 * dev.countersign.server.commands.OperatorContext}, the open store. Each group of commands has its
 * own package.
 */
@NullMarked
package dev.countersign.server.commands;

import org.jspecify.annotations.NullMarked;
