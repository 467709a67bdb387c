package dev.countersign.cli.terminal;

import dev.countersign.client.CountersignException;
import dev.countersign.client.Problem;
import dev.countersign.client.rotation.RotationException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a command: one line on standard error that begins with the reason, and an exit
 * code. Reasons are stable words with underscores; messages are for people.
 */
public final class CliException extends RuntimeException {
  private static final Set<String> NO_CONNECTION = Set.of("connection_failed", "timeout");
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;
  private final String reason;
  private final transient Map<String, Object> members = new LinkedHashMap<>();
  private @Nullable String hint;

  public CliException(ExitCode exitCode, String reason, String message) {
    this(exitCode, reason, message, null);
  }

  public CliException(ExitCode exitCode, String reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
    this.reason = reason;
  }

  /** Returns the failure for a mistyped command line or setting. */
  public static CliException usage(String message) {
    return new CliException(ExitCode.USAGE, "usage", message);
  }

  /** Returns the failure after a signal: Ctrl-C was pressed, or the terminal was closed. */
  public static CliException interrupted() {
    return new CliException(ExitCode.INTERRUPTED, "interrupted", "by a signal");
  }

  /** Adds a member to the JSON form. The value is a text or a number. */
  public CliException with(String name, Object value) {
    members.put(name, value);
    return this;
  }

  CliException withAll(Map<String, Object> further) {
    members.putAll(further);
    return this;
  }

  /**
   * Adds the command to type next. It is printed on a separate line, or as the member {@code
   * resume} of the JSON form.
   */
  public CliException withResume(String command) {
    return with("resume", command).withHint("resume with: " + command);
  }

  /** Adds a line that says what to do. The JSON form does not have it. */
  public CliException withHint(String line) {
    hint = line;
    return this;
  }

  public ExitCode exitCode() {
    return exitCode;
  }

  public String reason() {
    return reason;
  }

  /** The message, which is never null. */
  public String text() {
    return String.valueOf(getMessage());
  }

  public Map<String, Object> members() {
    return new LinkedHashMap<>(members);
  }

  public Optional<String> hint() {
    return Optional.ofNullable(hint);
  }

  /** Converts the failure of a call. */
  public static CliException of(CountersignException failed) {
    CliException failure =
        new CliException(exitCode(failed), failed.reason(), text(failed, failed.reason()), failed)
            .with("attempts", failed.attempts());
    failed.status().ifPresent(status -> failure.with("status", status));
    failed.problem().ifPresent(problem -> add(problem, failure));
    failed.clockSkew().ifPresent(skew -> failure.with("clockSkewSeconds", skew.toSeconds()));
    return failure;
  }

  /** Converts the failure of a rotation. */
  public static CliException of(RotationException failed) {
    if (failed.getCause() instanceof CountersignException refused) {
      CliException failure = of(refused);
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
