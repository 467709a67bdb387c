/**
 * The commands of {@code countersign audit}. {@link
 * dev.countersign.server.commands.audit.AuditCommands} lists them.
 */
@NullMarked
package dev.countersign.server.commands.audit;

import org.jspecify.annotations.NullMarked;
