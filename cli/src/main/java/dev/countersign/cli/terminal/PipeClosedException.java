package dev.countersign.cli.terminal;

/** Nobody reads standard output any more; the command ends silently. */
public final class PipeClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PipeClosedException(Throwable cause) {
    super("standard output is closed", cause);
  }
}
