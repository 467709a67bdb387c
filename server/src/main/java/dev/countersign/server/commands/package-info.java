/** The operator's commands. */
@NullMarked
package dev.countersign.server.commands;

import org.jspecify.annotations.NullMarked;
