package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.MissingData;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.operators.OperatorStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Disables an operator. */
@Command(
    name = "disable",
    mixinStandardHelpOptions = true,
    description =
        "Signs an operator out everywhere and lets it sign in no more, until it is enabled again.",
    footer = {"", "Example:", "  countersign operators disable ada"})
final class OperatorDisableCommand implements Runnable {
  private final OperatorContext.Opener opener;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final OperatorOutput output = new OperatorOutput();

  @Parameters(paramLabel = "NAME", description = "The operator's name or id.")
  private String name = "";

  OperatorDisableCommand(OperatorContext.Opener opener) {
    this.opener = opener;
  }

  @Override
  public void run() {
    try (OperatorContext context = opener.open(data.directory(), MissingData.REFUSE)) {
      OperatorStore operators = context.operators();
      output.printState(operators.disable(operators.named(name).id()));
    }
  }
}
