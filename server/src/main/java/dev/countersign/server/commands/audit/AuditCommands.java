package dev.countersign.server.commands.audit;

import dev.countersign.server.commands.CommandGroup;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands about the audit trail. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Shows and verifies the audit trail.",
    footer = {"", "Example:", "  countersign audit list"})
public final class AuditCommands extends CommandGroup {
  /** Returns the group with its commands. */
  public static CommandLine commands(OperatorContext.Opener opener) {
    return new CommandLine(new AuditCommands())
        .addSubcommand(new AuditListCommand(opener))
        .addSubcommand(new AuditVerifyCommand(opener))
        .addSubcommand(new AuditExportCommand(opener));
  }
}
