/**
 * The commands of {@code countersign clients}. {@link
 * dev.countersign.server.commands.clients.ClientCommands} lists them.
 */
@NullMarked
package dev.countersign.server.commands.clients;

import org.jspecify.annotations.NullMarked;
