package dev.countersign.signatures.contract;

/**
 * A message was not accepted: the library refused to send it, the server responded with an error,
 * or the adapter refused to present it. An adapter's test declares such messages beforehand.
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
