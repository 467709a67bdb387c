package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.MissingData;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.commands.OperatorErrors;
import dev.countersign.server.operators.OneTimeLink;
import dev.countersign.server.operators.OperatorRole;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Creates an account and prints the link that sets its password. */
@Command(
    name = "add",
    mixinStandardHelpOptions = true,
    description = {
      "Creates an account and prints, on the first line, the one-time link that sets its password.",
      "The link is valid for an hour."
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

  @Parameters(paramLabel = "NAME", description = "The operator's name.")
  private String name = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      converter = RoleName.class,
      description = "administrator, or viewer with read-only access (default: viewer).")
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
          "created a new data directory " + data.directory().toAbsolutePath().normalize());
    }
  }

  /** Parses the name of an operator's role. */
  private static final class RoleName implements ITypeConverter<OperatorRole> {
    @Override
    public OperatorRole convert(String text) {
      return Arrays.stream(OperatorRole.values())
          .filter(role -> role.word().equals(text))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException("must be " + words() + ", was " + text));
    }

    private static String words() {
      return Arrays.stream(OperatorRole.values())
          .map(OperatorRole::word)
          .collect(Collectors.joining(" or "));
    }
  }
}
