package dev.countersign.cli.terminal;

/** The exit codes of all commands; docs/cli.md has the same table. */
public enum ExitCode {
  OK(0, "done"),
  FAILED(1, "failed on this machine: a key, a file, an answer that makes no sense"),
  USAGE(2, "mistyped: the command, an option, a profile"),
  REFUSED(3, "the service refused the request, except in `explain`"),
  NO_CONNECTION(4, "no answer: no connection, or none in time"),
  NOT_VERIFIED(
      5,
      "`verify` found that the signature does not hold, or `explain` that the request is refused"),
  INTERRUPTED(130, "interrupted by Ctrl-C"),
  PIPE_CLOSED(141, "the reader of standard output went away, as `head` does");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  public int code() {
    return code;
  }

  public String meaning() {
    return meaning;
  }
}
