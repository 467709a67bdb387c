package dev.countersign.cli.terminal;

/** The exit codes of all commands; docs/cli.md has the same table. */
public enum ExitCode {
  OK(0, "done"),
  FAILED(1, "failed on this machine: a key, a file, an unusable response"),
  USAGE(2, "mistyped: the command, an option, a profile"),
  REFUSED(3, "the service refused the request, except in `explain`"),
  NO_CONNECTION(4, "no response: the connection failed or timed out"),
  NOT_VERIFIED(5, "`verify` found the signature invalid, or `explain` found the request refused"),
  INTERRUPTED(130, "interrupted by Ctrl-C"),
  PIPE_CLOSED(141, "the reader closed standard output, as `head` does");

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
