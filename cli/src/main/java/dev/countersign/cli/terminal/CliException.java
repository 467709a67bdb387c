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
 * The failure of a command, which ends with an exit code. Standard error shows the reason and the
 * message on one line, or in one JSON object. The reason is for programs: a stable word such as
 * {@code usage} or {@code key_unusable}. The message is for people.
 */
public final class CliException extends RuntimeException {
  private static final Set<String> CONNECTION_REASONS = Set.of("connection_failed", "timeout");
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
    // The message follows the reason: "interrupted: by a signal".
    return new CliException(ExitCode.INTERRUPTED, "interrupted", "by a signal");
  }

  /** Adds a member to the JSON form of this failure. The value is a text or a number. */
  public CliException addMember(String name, Object value) {
    members.put(name, value);
    return this;
  }

  private CliException addMembers(Map<String, Object> added) {
    members.putAll(added);
    return this;
  }

  /**
   * Adds the command to type next. It is printed on a separate line, or as the member {@code
   * resume} of the JSON form.
   */
  public CliException addResumeCommand(String command) {
    return addMember("resume", command).addHint("resume with: " + command);
  }

  /** Adds a line that says what to do. The JSON form does not contain it. */
  public CliException addHint(String line) {
    hint = line;
    return this;
  }

  public ExitCode exitCode() {
    return exitCode;
  }

  public String reason() {
    return reason;
  }

  /** Returns the message, which is never null. */
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
  public static CliException of(CountersignException exception) {
    String reason = exception.reason();
    CliException result =
        new CliException(exitCode(exception), reason, text(exception, reason), exception)
            .addMember("attempts", exception.attempts());
    exception.status().ifPresent(status -> result.addMember("status", status));
    exception.problem().ifPresent(problem -> addTo(result, problem));
    exception.clockSkew().ifPresent(skew -> result.addMember("clockSkewSeconds", skew.toSeconds()));
    return result;
  }

  /** Converts the failure of a rotation. */
  public static CliException of(RotationException exception) {
    String reason = exception.reason();
    String text = text(exception, reason);
    if (exception.getCause() instanceof CountersignException cause) {
      CliException failure = of(cause);
      return new CliException(failure.exitCode(), reason, text, exception)
          .addMembers(failure.members());
    }
    ExitCode code = CONNECTION_REASONS.contains(reason) ? ExitCode.NO_CONNECTION : ExitCode.FAILED;
    return new CliException(code, reason, text, exception);
  }

  private static void addTo(CliException result, Problem problem) {
    result.addMember("title", problem.title()).addMember("detail", problem.detail());
    problem.check().ifPresent(check -> result.addMember("check", check));
    problem.requestId().ifPresent(id -> result.addMember("requestId", id));
    problem.signatureBase().ifPresent(base -> result.addMember("signatureBase", base));
  }

  private static ExitCode exitCode(CountersignException exception) {
    if (CONNECTION_REASONS.contains(exception.reason())) {
      return ExitCode.NO_CONNECTION;
    }
    boolean refused = exception.status().isPresent() && exception.status().getAsInt() >= 300;
    return refused ? ExitCode.REFUSED : ExitCode.FAILED;
  }

  /** Returns the message without the reason and the colon at its start. */
  private static String text(RuntimeException exception, String reason) {
    String message = String.valueOf(exception.getMessage());
    String prefix = reason + ": ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }
}
