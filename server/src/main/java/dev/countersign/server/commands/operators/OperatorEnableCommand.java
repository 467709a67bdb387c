package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.MissingData;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.operators.OperatorStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Enables an operator. */
@Command(
    name = "enable",
    mixinStandardHelpOptions = true,
    description = "Lets an operator sign in again that was disabled.",
    footer = {"", "Example:", "  countersign operators enable ada"})
final class OperatorEnableCommand implements Runnable {
  private final OperatorContext.Opener opener;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final OperatorOutput output = new OperatorOutput();

  @Parameters(paramLabel = "NAME", description = "The operator's name or id.")
  private String name = "";

  OperatorEnableCommand(OperatorContext.Opener opener) {
    this.opener = opener;
  }

  @Override
  public void run() {
    try (OperatorContext context = opener.open(data.directory(), MissingData.REFUSE)) {
      OperatorStore operators = context.operators();
      output.printState(operators.enable(operators.named(name).id()));
    }
  }
}
