package dev.countersign.cli;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.cli.terminal.PipeClosedException;
import dev.countersign.client.CountersignException;
import dev.countersign.client.keys.KeyException;
import dev.countersign.client.rotation.RotationException;
import dev.countersign.protocol.PlainText;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reports an error on one line that begins with the reason, and chooses the exit code. */
final class CliErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {
  // At most this many causes of an exception are read, because causes can form a cycle.
  private static final int MAX_CAUSES = 20;

  private final Environment environment;

  CliErrors(Environment environment) {
    this.environment = environment;
  }

  @Override
  public int handleParseException(ParameterException mistyped, String[] args) {
    return report(UsageErrors.failure(mistyped), List.of(args));
  }

  @Override
  public int handleExecutionException(
      Exception failed, CommandLine commandLine, ParseResult parsed) {
    if (failed instanceof PipeClosedException) {
      return ExitCode.PIPE_CLOSED.code();
    }
    return report(failure(failed), parsed.originalArgs());
  }

  /** Reports that Java ran out of memory for the data of the command. */
  int handleLackOfMemory(String... args) {
    return report(lackOfMemory(), List.of(args));
  }

  private int report(CliException failure, List<String> args) {
    Output output = new Output(environment);
    if (args.contains("--json")) {
      output.note(document(failure));
    } else {
      output.note(PlainText.compactLine(failure.reason() + ": " + failure.text()));
      failure.hint().ifPresent(output::note);
    }
    return failure.exitCode().code();
  }

  private CliException failure(Exception failed) {
    // If asking for a passphrase fails, the SDK wraps our exception in its own.
    Optional<CliException> own = causes(failed, CliException.class).findFirst();
    if (own.isPresent()) {
      return own.get();
    }
    if (failed instanceof ParameterException mistyped) {
      return UsageErrors.failure(mistyped);
    }
    if (environment.interrupted().getAsBoolean()) {
      return new CliException(ExitCode.INTERRUPTED, "interrupted", interruption(failed), failed);
    }
    // Java's HTTP client wraps an OutOfMemoryError in another exception.
    return causes(failed, OutOfMemoryError.class).findAny().isPresent()
        ? lackOfMemory()
        : sdkFailure(failed);
  }

  private static CliException lackOfMemory() {
    return new CliException(
        ExitCode.FAILED, "failed", "Java ran out of memory; set COUNTERSIGN_JAVA_OPTS=-Xmx2g");
  }

  private static <T extends Throwable> Stream<T> causes(Exception failed, Class<T> type) {
    return Stream.iterate((Throwable) failed, Objects::nonNull, Throwable::getCause)
        .limit(MAX_CAUSES)
        .filter(type::isInstance)
        .map(type::cast);
  }

  private static Throwable cause(Exception failed) {
    Throwable cause = failed.getCause();
    return failed instanceof UncheckedIOException && cause != null ? cause : failed;
  }

  /**
   * Returns the message that follows {@code interrupted:}. If a rotation was interrupted, the
   * message says where the new key is.
   */
  private static String interruption(Exception failed) {
    return failed instanceof RotationException broken
        ? CliException.of(broken).text()
        : "by a signal";
  }

  private static CliException sdkFailure(Exception failed) {
    if (failed instanceof CountersignException refused) {
      return CliException.of(refused);
    }
    if (failed instanceof RotationException broken) {
      return CliException.of(broken);
    }
    String message = String.valueOf(failed.getMessage());
    return failed instanceof KeyException
        ? new CliException(ExitCode.FAILED, "key_unusable", message, failed)
        // Any other failure is a defect, or a problem of the machine such as a full disk. The
        // exception's type then tells more than its message.
        : new CliException(ExitCode.FAILED, "failed", cause(failed).toString(), failed);
  }

  /**
   * Returns a failure as one JSON object on one line: reason, message, exitCode, and further
   * details.
   */
  private static String document(CliException failure) {
    JsonMapper json = new JsonMapper();
    ObjectNode document = json.createObjectNode();
    document.put("reason", failure.reason());
    document.put("message", PlainText.compactLine(failure.text()));
    document.put("exitCode", failure.exitCode().code());
    failure.members().forEach(document::putPOJO);
    return json.writeValueAsString(document);
  }
}
