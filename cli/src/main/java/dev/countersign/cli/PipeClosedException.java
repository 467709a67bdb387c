package dev.countersign.cli;

/** Nobody reads standard output any more; the command ends silently. */
final class PipeClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PipeClosedException(Throwable cause) {
    super("standard output is closed", cause);
  }
}
