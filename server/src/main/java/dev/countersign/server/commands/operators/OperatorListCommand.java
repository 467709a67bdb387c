package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows all operators in a table. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists all operators except removed ones, sorted by name.",
    footer = {"", "Example:", "  countersign operators list --json"})
final class OperatorListCommand implements Runnable {
  @Mixin private final DataOption data;
  @Mixin private final OperatorOutput output = new OperatorOutput();

  OperatorListCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    data.open(context -> output.print(context.operators().list()));
  }
}
