package dev.countersign.signatures;

/**
 * Reports that an external key did not sign: its service could not be reached, refused to sign, or
 * returned an invalid signature. The message says what was requested and how to fix the problem.
 * The message is logged unchanged, so it must never contain a secret.
 */
public final class SigningException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SigningException(String message) {
    super(message);
  }

  /**
   * Creates an exception that also keeps the exception of the key service's library.
   *
   * @param cause the exception of the key service's library, which is logged with its message; omit
   *     the cause if its message may quote a secret
   */
  public SigningException(String message, Throwable cause) {
    super(message, cause);
  }
}
