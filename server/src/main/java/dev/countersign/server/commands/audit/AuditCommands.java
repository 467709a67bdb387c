package dev.countersign.server.commands.audit;

import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The commands about the audit trail. Without a subcommand, the command fails and lists its
 * subcommands.
 */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Shows and verifies the audit trail.",
    footer = {"", "Example:", "  countersign audit list"})
public final class AuditCommands implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "audit needs one of " + String.join(", ", spec.subcommands().keySet()));
  }

  /** Returns the group with its commands. */
  public static CommandLine commands(OperatorContext.Opener opener) {
    return new CommandLine(new AuditCommands())
        .addSubcommand(new AuditListCommand(opener))
        .addSubcommand(new AuditVerifyCommand(opener))
        .addSubcommand(new AuditExportCommand(opener));
  }
}
