package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.OperatorStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Disables or enables an operator. */
abstract class OperatorStateCommand implements Runnable {
  @Mixin private final DataOption data;

  @Mixin private final OperatorOutput output = new OperatorOutput();

  @Parameters(paramLabel = "NAME", description = "The operator's name or id.")
  private String name = "";

  private OperatorStateCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  abstract Operator change(OperatorStore operators, String id);

  @Override
  public void run() {
    data.open(
        context -> {
          OperatorStore operators = context.operators();
          output.printState(change(operators, operators.named(name).id()));
        });
  }

  /** Disables an operator. */
  @Command(
      name = "disable",
      mixinStandardHelpOptions = true,
      description =
          "Signs an operator out everywhere and prevents new sign-ins until the operator is enabled"
              + " again.",
      footer = {"", "Example:", "  countersign operators disable ada"})
  static final class Disable extends OperatorStateCommand {
    Disable(OperatorContext.Opener opener) {
      super(opener);
    }

    @Override
    Operator change(OperatorStore operators, String id) {
      return operators.disable(id);
    }
  }

  /** Enables an operator. */
  @Command(
      name = "enable",
      mixinStandardHelpOptions = true,
      description = "Enables a disabled operator, who can then sign in again.",
      footer = {"", "Example:", "  countersign operators enable ada"})
  static final class Enable extends OperatorStateCommand {
    Enable(OperatorContext.Opener opener) {
      super(opener);
    }

    @Override
    Operator change(OperatorStore operators, String id) {
      return operators.enable(id);
    }
  }
}
