package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.MissingData;
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
  private final OperatorContext.Opener opener;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final OperatorOutput output = new OperatorOutput();

  OperatorListCommand(OperatorContext.Opener opener) {
    this.opener = opener;
  }

  @Override
  public void run() {
    try (OperatorContext context = opener.open(data.directory(), MissingData.REFUSE)) {
      output.print(context.operators().list());
    }
  }
}
