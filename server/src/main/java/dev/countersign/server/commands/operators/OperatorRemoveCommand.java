package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.Confirmation;
import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.operators.Operator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes an operator permanently, after a confirmation. */
@Command(
    name = "remove",
    mixinStandardHelpOptions = true,
    description = {
      "Removes an operator permanently. A password account can be added again under the same name.",
      "An account that signs in with OpenID cannot be added again: disable it instead."
    },
    footer = {"", "Example:", "  countersign operators remove ada --yes"})
final class OperatorRemoveCommand implements Runnable {
  private final OperatorConsole console;

  @Mixin private final DataOption data;
  @Mixin private final OperatorOutput output = new OperatorOutput();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "The operator's name or id.")
  private String name = "";

  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  OperatorRemoveCommand(OperatorContext.Opener opener, OperatorConsole console) {
    this.data = new DataOption(opener);
    this.console = console;
  }

  @Override
  public void run() {
    data.open(
        context -> {
          Operator operator = context.operators().named(name);
          if (!yes) {
            Confirmation.ask(spec.commandLine(), console, operator.name());
          }
          output.printState(context.operators().remove(operator.id()));
        });
  }
}
