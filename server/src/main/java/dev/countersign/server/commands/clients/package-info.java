/**
 * The commands {@code clients …}, listed in {@link
 * dev.countersign.server.commands.clients.Clients}.
 */
@NullMarked
package dev.countersign.server.commands.clients;

import org.jspecify.annotations.NullMarked;
