package dev.countersign.server.commands.operators;

import dev.countersign.server.commands.DataOption;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.operators.OneTimeLink;
import dev.countersign.server.operators.OperatorRole;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
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
  @Mixin private final DataOption data;
  @Mixin private final OperatorOutput output = new OperatorOutput();
  @Mixin private final PortalUrlOption url = new PortalUrlOption();

  @Parameters(paramLabel = "NAME", description = "The operator's name.")
  private String name = "";

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      converter = RoleName.class,
      description = "administrator, or viewer with read-only access (default: viewer).")
  private OperatorRole role = OperatorRole.VIEWER;

  OperatorAddCommand(OperatorContext.Opener opener) {
    this.data = new DataOption(opener);
  }

  @Override
  public void run() {
    url.check();
    data.openOrCreate(
        context -> {
          OneTimeLink link = context.operators().add(name, role);
          output.print(Objects.requireNonNull(link.operator()), link, url.in(context));
        });
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
