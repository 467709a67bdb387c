package dev.countersign.cli.captured;

/** A file is not one HTTP request; the message begins with the line and says what to mend. */
public final class CaptureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;

  CaptureException(int line, String message) {
    super("line " + line + ": " + message);
    this.line = line;
  }

  /** A file that cannot be read at all; it has no line. */
  CaptureException(String message) {
    super(message);
    this.line = 0;
  }

  /** The number of the line, from 1; 0 where it is the file as a whole. */
  public int line() {
    return line;
  }
}
