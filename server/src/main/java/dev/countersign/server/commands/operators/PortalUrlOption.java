package dev.countersign.server.commands.operators;

import dev.countersign.protocol.HostName;
import dev.countersign.protocol.PlainText;
import dev.countersign.server.commands.OperatorContext;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The option for the URL of the portal, used in the links that a command prints. */
final class PortalUrlOption {
  @Option(
      names = "--url",
      paramLabel = "URL",
      converter = Converter.class,
      description = "Where the portal is reached (default: countersign.portal.public-url).")
  private @Nullable URI url;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  /** Checks the option before the command changes anything. */
  void check() {
    if (url != null && (!isWeb(url) || url.getRawQuery() != null || url.getRawFragment() != null)) {
      throw new ParameterException(
          spec.commandLine(),
          "--url "
              + HostName.problem(url)
                  .map(problem -> "cannot be used: " + problem)
                  .orElse(
                      "must be a URL such as https://countersign.example.com/portal, was "
                          + PlainText.url(url)));
    }
  }

  String in(OperatorContext context) {
    return url == null ? context.portalUrl().get() : url.toString();
  }

  /** Refuses a value without repeating it, because it may contain a password. */
  static final class Converter implements ITypeConverter<URI> {
    @Override
    public URI convert(String value) {
      try {
        return URI.create(value);
      } catch (IllegalArgumentException malformed) {
        throw new TypeConversionException(
            "not a URL such as https://countersign.example.com/portal");
      }
    }
  }

  private static boolean isWeb(URI url) {
    return ("https".equals(url.getScheme()) || "http".equals(url.getScheme()))
        && url.getHost() != null
        && url.getRawUserInfo() == null
        && HostName.problem(url).isEmpty();
  }
}
