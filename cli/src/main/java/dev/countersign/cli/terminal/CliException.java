package dev.countersign.cli.terminal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A command that fails: one line on standard error that begins with the reason, and an exit code.
 * Reasons are stable words with underscores; messages are for people.
 */
public final class CliException extends RuntimeException {
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

  /** For input that is not understood. */
  public static CliException usage(String message) {
    return new CliException(ExitCode.USAGE, "usage", message);
  }

  /** For a signal: Ctrl-C, or the terminal was closed. */
  public static CliException interrupted() {
    return new CliException(ExitCode.INTERRUPTED, "interrupted", "by a signal");
  }

  /** Adds a member to the JSON form: a text or a number. */
  public CliException with(String name, Object value) {
    members.put(name, value);
    return this;
  }

  CliException withAll(Map<String, Object> further) {
    members.putAll(further);
    return this;
  }

  /**
   * Adds the command to type next, on a separate line; the member {@code resume} of the JSON form.
   */
  public CliException withResume(String command) {
    hint = "resume with: " + command;
    return with("resume", command);
  }

  public ExitCode exitCode() {
    return exitCode;
  }

  public String reason() {
    return reason;
  }

  /** The message, which is never absent: every failure says what is wrong. */
  public String text() {
    return String.valueOf(getMessage());
  }

  public Map<String, Object> members() {
    return new LinkedHashMap<>(members);
  }

  public Optional<String> hint() {
    return Optional.ofNullable(hint);
  }
}
