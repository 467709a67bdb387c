package dev.countersign.signatures;

/**
 * An external key has not signed: its service could not be reached, refused, or returned an invalid
 * signature. The message says what was requested and how to fix it, and never contains a secret. It
 * is logged as it is.
 */
public final class SigningException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SigningException(String message) {
    super(message);
  }

  /**
   * Also keeps the exception of the service's client.
   *
   * @param cause is logged with its message: omit it if the message may quote a secret
   */
  public SigningException(String message, Throwable cause) {
    super(message, cause);
  }
}
