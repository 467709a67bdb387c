package dev.countersign.cli.terminal;

import dev.countersign.client.CountersignException;
import dev.countersign.client.Problem;
import dev.countersign.client.rotation.RotationException;
import java.util.Set;

/** Converts the SDK's exceptions to failures of a command. */
public final class Refusals {
  private static final Set<String> NO_CONNECTION = Set.of("connection_failed", "timeout");

  private Refusals() {}

  public static CliException failure(CountersignException failed) {
    CliException failure =
        new CliException(exitCode(failed), failed.reason(), text(failed, failed.reason()), failed)
            .with("attempts", failed.attempts());
    failed.status().ifPresent(status -> failure.with("status", status));
    failed.problem().ifPresent(problem -> add(problem, failure));
    failed.clockSkew().ifPresent(skew -> failure.with("clockSkewSeconds", skew.toSeconds()));
    return failure;
  }

  public static CliException failure(RotationException failed) {
    if (failed.getCause() instanceof CountersignException refused) {
      CliException failure = failure(refused);
      return new CliException(
              failure.exitCode(), failed.reason(), text(failed, failed.reason()), failed)
          .withAll(failure.members());
    }
    ExitCode code =
        NO_CONNECTION.contains(failed.reason()) ? ExitCode.NO_CONNECTION : ExitCode.FAILED;
    return new CliException(code, failed.reason(), text(failed, failed.reason()), failed);
  }

  private static void add(Problem problem, CliException failure) {
    failure.with("title", problem.title()).with("detail", problem.detail());
    problem.check().ifPresent(check -> failure.with("check", check));
    problem.requestId().ifPresent(id -> failure.with("requestId", id));
    problem.signatureBase().ifPresent(base -> failure.with("signatureBase", base));
  }

  private static ExitCode exitCode(CountersignException failed) {
    if (NO_CONNECTION.contains(failed.reason())) {
      return ExitCode.NO_CONNECTION;
    }
    boolean refused = failed.status().isPresent() && failed.status().getAsInt() >= 300;
    return refused ? ExitCode.REFUSED : ExitCode.FAILED;
  }

  /** The message without the leading reason. */
  private static String text(RuntimeException failed, String reason) {
    String message = String.valueOf(failed.getMessage());
    String prefix = reason + ": ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }
}
