package dev.countersign.signatures.contract;

/**
 * A message was not taken: the library would not send it, the server answered with an error, or the
 * adapter would not show it. Which messages these are, an adapter's test declares beforehand.
 */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  public RefusedException(String message) {
    super(message);
  }

  public RefusedException(Throwable cause) {
    super(cause);
  }
}
