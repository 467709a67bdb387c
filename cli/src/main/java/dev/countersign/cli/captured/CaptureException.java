package dev.countersign.cli.captured;

/**
 * Thrown when a file is not exactly one HTTP request. The message begins with the number of the
 * line and says how to fix the file.
 */
public final class CaptureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;

  CaptureException(int line, String message) {
    super("line " + line + ": " + message);
    this.line = line;
  }

  /** For a file that cannot be read; no line is at fault. */
  CaptureException(String message) {
    super(message);
    this.line = 0;
  }

  /** The number of the line, from 1; 0 if the whole file is at fault. */
  public int line() {
    return line;
  }
}
