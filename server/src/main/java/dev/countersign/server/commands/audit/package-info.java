/**
 * The commands {@code audit …}, listed in {@link
 * dev.countersign.server.commands.audit.AuditCommands}.
 */
@NullMarked
package dev.countersign.server.commands.audit;

import org.jspecify.annotations.NullMarked;
