package dev.countersign.signatures;

/**
 * A key that is kept elsewhere has not signed: its service cannot be reached, refuses, or gave a
 * signature that is none. The message says what was asked and what mends it, never a secret, and
 * goes into logs as it is.
 */
public final class SigningException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SigningException(String message) {
    super(message);
  }

  /**
   * As the other, with what the service's own client threw.
   *
   * @param cause is logged with its message: leave it out where that may quote a secret
   */
  public SigningException(String message, Throwable cause) {
    super(message, cause);
  }
}
