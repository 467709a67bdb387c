package dev.countersign.cli.terminal;

/** Thrown when nobody reads standard output any more. The command then ends silently. */
public final class PipeClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PipeClosedException(Throwable cause) {
    super("standard output is closed", cause);
  }
}
