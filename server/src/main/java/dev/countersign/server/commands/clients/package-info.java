/**
 * The commands {@code clients …}, listed in {@link
 * dev.countersign.server.commands.clients.ClientCommands}.
 */
@NullMarked
package dev.countersign.server.commands.clients;

import org.jspecify.annotations.NullMarked;
