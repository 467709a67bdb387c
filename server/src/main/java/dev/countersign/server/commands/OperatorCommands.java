package dev.countersign.server.commands;

import picocli.CommandLine;

/**
 * Assembles the operator's commands: {@code clients …}, {@code operators …}, {@code audit …} and
 * {@code backup}.
 */
public final class OperatorCommands {
  private OperatorCommands() {}

  /**
   * Adds the commands to the root command, which then reports errors with {@link OneLineErrors}.
   *
   * @param opener opens the store of a data directory
   * @param console the input for keys and confirmations
   */
  public static CommandLine addTo(
      CommandLine root, OperatorContext.Opener opener, OperatorConsole console) {
    CommandLine clients =
        new CommandLine(new Clients())
            .addSubcommand(new ClientsAdd(opener, console))
            .addSubcommand(new ClientsList(opener))
            .addSubcommand(new ClientsShow(opener))
            .addSubcommand(new ClientsUpdate(opener))
            .addSubcommand(new ClientsDisable(opener))
            .addSubcommand(new ClientsEnable(opener))
            .addSubcommand(new ClientsRemove(opener, console))
            .addSubcommand(new ClientsAddKey(opener, console))
            .addSubcommand(new ClientsRemoveKey(opener));
    CommandLine audit =
        new CommandLine(new Audit())
            .addSubcommand(new AuditList(opener))
            .addSubcommand(new AuditVerify(opener))
            .addSubcommand(new AuditExport(opener));
    CommandLine operators =
        new CommandLine(new Operators())
            .addSubcommand(new OperatorsAdd(opener))
            .addSubcommand(new OperatorsList(opener))
            .addSubcommand(new OperatorsReset(opener))
            .addSubcommand(new OperatorsDisable(opener))
            .addSubcommand(new OperatorsEnable(opener))
            .addSubcommand(new OperatorsRemove(opener, console));
    root.addSubcommand(clients)
        .addSubcommand(operators)
        .addSubcommand(audit)
        .addSubcommand(new Backup(opener));
    // A name such as @home is a name, not a file of arguments.
    root.setExpandAtFiles(false);
    return OneLineErrors.install(root);
  }
}
