package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.operators.OneTimeLink;
import dev.countersign.server.operators.Operator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints a link that sets a new password. */
@Command(
    name = "reset",
    mixinStandardHelpOptions = true,
    description = {
      "Prints a one-time link that sets a new password, and signs the operator out everywhere.",
      "The old password stays valid until the link is used. To block the password immediately,"
          + " disable the operator."
    },
    footer = {"", "Example:", "  countersign operators reset ada"})
final class OperatorResetCommand implements Runnable {
  @Mixin private final DataOption data;
  @Mixin private final OperatorOutput output = new OperatorOutput();
  @Mixin private final PortalUrlOption url = new PortalUrlOption();

  @Parameters(paramLabel = "NAME", description = "The operator's name or id.")
  private String name = "";

  OperatorResetCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    url.check();
    data.open(
        context -> {
          Operator operator = context.operators().named(name);
          OneTimeLink link = context.operators().reset(operator.id());
          output.print(operator, link, url.in(context));
        });
  }
}
