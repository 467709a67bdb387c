package dev.countersign.server.commands;

import dev.countersign.protocol.PlainText;
import dev.countersign.server.clients.ClientException;
import dev.countersign.server.listings.ListingException;
import dev.countersign.server.operators.OperatorException;
import dev.countersign.server.store.StoreException;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.signatures.keys.KeyFileException;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports errors to the operator in one line on standard error, {@code countersign: …}, without a
 * stack trace. The exit code is 2 for invalid arguments and 1 for a command that was refused or
 * failed.
 */
public final class OperatorErrors {
  // Exceptions whose messages are written for the operator.
  private static final List<Class<? extends RuntimeException>> PLAIN =
      List.of(
          ClientException.class,
          OperatorException.class,
          ListingException.class,
          KeyFileException.class,
          StoreException.class,
          StoreUnavailableException.class,
          CommandException.class);

  private OperatorErrors() {}

  /** Makes a command and its existing subcommands report errors this way. */
  public static CommandLine install(CommandLine command) {
    return command
        .setParameterExceptionHandler((wrong, args) -> usage(wrong))
        .setExecutionExceptionHandler((failed, line, result) -> failure(failed, line));
  }

  /** Prints a warning. */
  public static void warn(CommandLine command, String message) {
    print(command, "warning: " + message);
  }

  /** Prints a notice. */
  public static void notice(CommandLine command, String message) {
    print(command, message);
  }

  private static int usage(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    print(command, describe(wrong) + "; see " + name + " --help");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  // After a mistyped option, picocli reports that the correct option is missing. Naming the
  // mistyped option is more helpful.
  private static String describe(ParameterException wrong) {
    List<String> unknown = wrong.getCommandLine().getUnmatchedArguments();
    if (wrong instanceof UnmatchedArgumentException && isFurtherValue(wrong.getCommandLine())) {
      return "'"
          + unknown.getFirst()
          + "' does not belong to any option: separate values with commas";
    }
    return wrong instanceof MissingParameterException && !unknown.isEmpty()
        ? "Unknown option: '" + unknown.getFirst() + "'"
        : message(wrong);
  }

  private static boolean isFurtherValue(CommandLine command) {
    return !command.getUnmatchedArguments().getFirst().startsWith("-")
        && command.getCommandSpec().options().stream()
            .anyMatch(option -> !option.splitRegex().isEmpty());
  }

  private static int failure(Exception failed, CommandLine command) {
    boolean isPlain = PLAIN.stream().anyMatch(type -> type.isInstance(failed));
    print(command, isPlain ? message(failed) : unexpected(failed));
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  // Other messages may quote SQL or values, so the line gives the place in the code instead.
  private static String unexpected(Exception failed) {
    return Arrays.stream(failed.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("dev.countersign."))
        .findFirst()
        .map(frame -> " at " + frame.getFileName() + ":" + frame.getLineNumber())
        .orElse("")
        .transform(where -> "unexpected " + failed.getClass().getSimpleName() + where)
        .concat(", please report it");
  }

  private static String message(Exception failed) {
    String message = failed.getMessage();
    return message == null ? failed.getClass().getSimpleName() : message;
  }

  private static void print(CommandLine command, String message) {
    command.getErr().println("countersign: " + PlainText.compactLine(message));
    command.getErr().flush();
  }
}
