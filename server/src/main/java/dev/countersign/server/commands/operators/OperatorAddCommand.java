package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.MissingData;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.commands.OperatorErrors;
import dev.countersign.server.operators.OneTimeLink;
import dev.countersign.server.operators.OperatorRole;
import java.nio.file.Files;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates an account and prints the link that sets its password. */
@Command(
    name = "add",
    mixinStandardHelpOptions = true,
    description = {
      "Makes an account and prints, on the first line, the one-time link that sets its password.",
      "The link is good for an hour."
    },
    footer = {"", "Example:", "  countersign operators add ada --role administrator"})
final class OperatorAddCommand implements Runnable {
  private final OperatorContext.Opener opener;

  @Mixin private final DataOption data = new DataOption();
  @Mixin private final OperatorOutput output = new OperatorOutput();
  @Mixin private final PortalUrlOption url = new PortalUrlOption();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "What the operator is called.")
  private String name = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      converter = RoleName.class,
      description = "administrator, or viewer, who changes nothing (default: viewer).")
  private OperatorRole role = OperatorRole.VIEWER;

  OperatorAddCommand(OperatorContext.Opener opener) {
    this.opener = opener;
  }

  @Override
  public void run() {
    url.check();
    boolean isNew = Files.notExists(data.directory());
    try (OperatorContext context = opener.open(data.directory(), MissingData.CREATE)) {
      OneTimeLink link = context.operators().add(name, role);
      output.print(Objects.requireNonNull(link.operator()), link, url.in(context));
    }
    if (isNew && Files.exists(data.directory())) {
      OperatorErrors.tell(
          spec.commandLine(),
          "made a new data directory " + data.directory().toAbsolutePath().normalize());
    }
  }
}
