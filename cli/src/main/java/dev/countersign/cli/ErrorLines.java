package dev.countersign.cli;

import dev.countersign.client.CountersignException;
import dev.countersign.client.keys.KeyException;
import dev.countersign.client.rotation.RotationException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what went wrong in one line that begins with the reason, and chooses the exit code. */
final class ErrorLines implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final Environment environment;

  ErrorLines(Environment environment) {
    this.environment = environment;
  }

  @Override
  public int handleParseException(ParameterException mistyped, String[] args) {
    return tell(usage(mistyped), List.of(args));
  }

  @Override
  public int handleExecutionException(
      Exception failed, CommandLine commandLine, ParseResult parsed) {
    if (failed instanceof PipeClosedException) {
      return ExitCode.PIPE_CLOSED.code();
    }
    return tell(failure(failed), parsed.originalArgs());
  }

  private int tell(Failure failure, List<String> args) {
    Output output = new Output(environment);
    if (args.contains("--json")) {
      output.note(ErrorDocument.of(failure));
    } else {
      output.note(OneLine.of(failure.reason() + ": " + failure.text()));
      failure.hint().ifPresent(output::note);
    }
    return failure.exitCode().code();
  }

  private Failure failure(Exception failed) {
    if (failed instanceof Failure failure) {
      return failure;
    }
    if (failed instanceof ParameterException mistyped) {
      return usage(mistyped);
    }
    if (environment.interrupted().getAsBoolean()) {
      return new Failure(ExitCode.INTERRUPTED, "interrupted", interruptedAt(failed), failed);
    }
    return sdkFailure(failed);
  }

  /** A rotation that is cut off says where the new key is. */
  private static String interruptedAt(Exception failed) {
    return failed instanceof RotationException broken
        ? Refusals.failure(broken).text()
        : "by a signal";
  }

  private static Failure sdkFailure(Exception failed) {
    if (failed instanceof CountersignException refused) {
      return Refusals.failure(refused);
    }
    if (failed instanceof RotationException broken) {
      return Refusals.failure(broken);
    }
    String message = String.valueOf(failed.getMessage());
    return failed instanceof KeyException
        ? new Failure(ExitCode.FAILED, "key_unusable", message, failed)
        // A defect, or a disk that is full: the type says more than the message.
        : new Failure(ExitCode.FAILED, "failed", failed.toString(), failed);
  }

  private static Failure usage(ParameterException mistyped) {
    CommandSpec command = mistyped.getCommandLine().getCommandSpec();
    List<String> near =
        mistyped instanceof UnmatchedArgumentException unmatched
            ? near(command, unmatched.getUnmatched().get(0))
            : List.of();
    return Failure.usage(
        mistyped.getMessage()
            + "; "
            + (near.isEmpty()
                ? "see " + command.qualifiedName() + " --help"
                : "did you mean " + String.join(" or ", near) + "?"));
  }

  private static List<String> near(CommandSpec command, String typed) {
    String name = typed.replaceFirst("=.*", "");
    return name.startsWith("-")
        ? NearWord.among(command.optionsMap().keySet(), name)
        : NearWord.among(command.subcommands().keySet(), name);
  }
}
