package dev.countersign.server.app;

import dev.countersign.server.commands.BackupCommand;
import dev.countersign.server.commands.NodesCommand;
import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.commands.OperatorErrors;
import dev.countersign.server.commands.audit.AuditCommands;
import dev.countersign.server.commands.clients.ClientCommands;
import dev.countersign.server.commands.listings.ListingCommands;
import dev.countersign.server.commands.operators.OperatorAccountCommands;
import picocli.CommandLine;

/**
 * Assembles the operator's commands: {@code clients …}, {@code operators …}, {@code audit …},
 * {@code listings …}, {@code nodes} and {@code backup}.
 */
public final class OperatorCommands {
  private OperatorCommands() {}

  /**
   * Adds the commands to the root command, which then reports errors with {@link OperatorErrors}.
   *
   * @param opener opens the store of a data directory
   * @param console the input for keys and confirmations
   */
  public static CommandLine addTo(
      CommandLine root, OperatorContext.Opener opener, OperatorConsole console) {
    root.addSubcommand(ClientCommands.commands(opener, console))
        .addSubcommand(OperatorAccountCommands.commands(opener, console))
        .addSubcommand(AuditCommands.commands(opener))
        .addSubcommand(ListingCommands.commands(opener))
        .addSubcommand(new NodesCommand(opener))
        .addSubcommand(new BackupCommand(opener));
    // An argument such as @home is a name, not a file of arguments.
    root.setExpandAtFiles(false);
    return OperatorErrors.install(root);
  }
}
