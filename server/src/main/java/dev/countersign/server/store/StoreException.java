package dev.countersign.server.store;

/**
 * The store cannot be used as it is. The message is one line for the operator: what is wrong, with
 * which file or server, and what to do. It never holds SQL, a password or a row's values.
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
