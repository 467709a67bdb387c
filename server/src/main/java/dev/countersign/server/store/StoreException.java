package dev.countersign.server.store;

/**
 * Reports that the store cannot be used. The message is one line for the operator with the problem,
 * the file or server, and the fix. The message never contains SQL, a password or a row's values.
 */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
