package dev.countersign.server.portal;

/** Reports that the subject of a page does not exist, or no longer exists. */
public final class NotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message the message for the page; it may quote the caller, because the page escapes it
   */
  public NotFoundException(String message) {
    super(message);
  }
}
