package dev.countersign.server.config;

import dev.countersign.server.commands.CommandException;
import dev.countersign.server.listings.ListingException;
import dev.countersign.server.store.StoreException;
import dev.countersign.server.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.boot.web.server.PortInUseException;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Extracts the one line that an operator needs from the exception of a failed start. */
public final class StartupFailure {
  /** Exceptions whose messages are written for the operator. */
  private static final Set<Class<? extends Throwable>> PLAIN =
      Set.of(StoreException.class, ListingException.class, CommandException.class);

  private StartupFailure() {}

  /** Returns the failure in one line. */
  public static CommandException of(RuntimeException failure) {
    List<Throwable> causes = new ArrayList<>();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      causes.add(cause);
    }
    return new CommandException(
        first(causes, StartupFailure::line)
            .or(() -> first(causes, StartupFailure::wrongType))
            .orElseGet(() -> "cannot start: " + rootMessage(causes)));
  }

  private static Optional<String> first(
      List<Throwable> causes, Function<Throwable, Optional<String>> line) {
    return causes.stream().map(line).flatMap(Optional::stream).findFirst();
  }

  private static Optional<String> line(Throwable cause) {
    if (PLAIN.contains(cause.getClass()) || isOurs(cause)) {
      return Optional.ofNullable(cause.getMessage());
    }
    if (cause instanceof StoreUnavailableException) {
      return Optional.of(cause.getMessage() + advice(String.valueOf(cause.getMessage())));
    }
    if (cause instanceof PortInUseException e && isOfMetrics(e)) {
      return Optional.of(
          "port "
              + e.getPort()
              + ", on which the metrics are served, is in use; choose another one with"
              + " management.server.port");
    }
    if (cause instanceof PortInUseException e) {
      return Optional.of("port " + e.getPort() + " is in use; choose another port with --port");
    }
    if (cause instanceof MarkedYAMLException e) {
      return Optional.of("the configuration is not valid YAML: " + e.getProblem() + place(e));
    }
    if (cause instanceof UnboundConfigurationPropertiesException e) {
      return Optional.of("unknown settings: " + unknownKeys(e));
    }
    return Optional.empty();
  }

  /**
   * Returns whether the web server of the metrics failed, which Spring Boot starts in a child
   * context.
   */
  private static boolean isOfMetrics(PortInUseException failure) {
    return Arrays.stream(failure.getStackTrace())
        .anyMatch(frame -> frame.getClassName().endsWith("ChildManagementContextInitializer"));
  }

  private static String advice(String unavailable) {
    if (unavailable.startsWith("PostgreSQL")) {
      return "; see that it runs, can be reached from here and is not too busy, then start again";
    }
    return unavailable.endsWith(" is full")
        ? "; free some space on the disk of the data directory first"
        : "; another program may be using it: stop that program first";
  }

  /**
   * Reports a value that cannot be read. The value itself is shown only for settings of this
   * service, because values of other settings may be passwords.
   */
  private static Optional<String> wrongType(Throwable cause) {
    if (!(cause instanceof BindException e)) {
      return Optional.empty();
    }
    ConfigurationProperty property = e.getProperty();
    if (property == null) {
      return Optional.of("the setting " + e.getName() + " has a value of the wrong type");
    }
    // A value with an @ may be a URL with a password.
    boolean isShown =
        ConfigurationPropertyName.of("countersign").isAncestorOf(property.getName())
            && !String.valueOf(property.getValue()).contains("@");
    return Optional.of(
        "the setting "
            + property.getName()
            + " has a value of the wrong type"
            + (isShown ? ": " + property.getValue() : "")
            + lineNumber(property));
  }

  private static String lineNumber(ConfigurationProperty property) {
    Origin origin = property.getOrigin();
    if (origin instanceof PropertySourceOrigin inSource) {
      origin = inSource.getOrigin();
    }
    return origin instanceof TextResourceOrigin text && text.getLocation() != null
        ? ", in line " + (text.getLocation().getLine() + 1)
        : "";
  }

  private static String rootMessage(List<Throwable> causes) {
    Throwable root = causes.getLast();
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }

  private static String place(MarkedYAMLException e) {
    return e.getProblemMark() == null ? "" : " in line " + (e.getProblemMark().getLine() + 1);
  }

  private static String unknownKeys(UnboundConfigurationPropertiesException e) {
    return e.getUnboundProperties().stream()
        .map(property -> property.getName().toString())
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns whether this project's own checks threw the exception, with a message for the operator.
   */
  private static boolean isOurs(Throwable e) {
    return e instanceof IllegalArgumentException
        && e.getStackTrace().length > 0
        && e.getStackTrace()[0].getClassName().startsWith("dev.countersign.");
  }
}
