package dev.countersign.server;

import dev.countersign.server.commands.CommandFailure;
import dev.countersign.server.listings.ListingException;
import dev.countersign.server.store.StoreException;
import dev.countersign.server.store.StoreUnavailableException;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConverterNotFoundException;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Finds, in what a framework throws when it cannot start, the one line that an operator needs. */
final class StartupFailure {
  /** Exceptions whose messages are written for the operator. */
  private static final Set<Class<? extends Throwable>> PLAIN =
      Set.of(
          StoreException.class,
          StoreUnavailableException.class,
          ListingException.class,
          CommandFailure.class);

  private StartupFailure() {}

  /** The failure in one line. */
  static CommandFailure of(RuntimeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String line = line(cause);
      if (line != null) {
        return new CommandFailure(line);
      }
    }
    throw failure;
  }

  private static @Nullable String line(Throwable cause) {
    if (PLAIN.contains(cause.getClass()) || isOurs(cause)) {
      return cause.getMessage();
    }
    if (cause instanceof PortInUseException e) {
      return "port " + e.getPort() + " is in use; choose another one with --port";
    }
    if (cause instanceof ConfigDataResourceNotFoundException e) {
      return "there is no configuration file " + e.getReferenceDescription();
    }
    if (cause instanceof MarkedYAMLException e) {
      return "the configuration is not valid YAML: " + e.getProblem() + place(e);
    }
    if (cause instanceof UnboundConfigurationPropertiesException e) {
      return "unknown settings: " + unknownKeys(e);
    }
    if (cause instanceof ConverterNotFoundException || cause instanceof ConversionFailedException) {
      return "a setting has a value of the wrong kind: " + cause.getMessage();
    }
    return null;
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

  /** Thrown by this project's own checks, whose messages are written for the operator. */
  private static boolean isOurs(Throwable e) {
    return e instanceof IllegalArgumentException
        && e.getStackTrace().length > 0
        && e.getStackTrace()[0].getClassName().startsWith("dev.countersign.");
  }
}
