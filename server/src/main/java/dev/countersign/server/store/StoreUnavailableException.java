package dev.countersign.server.store;

/**
 * Reports that the store cannot answer now: busy, locked, unreachable, full, read-only or damaged
 * while running. The caller may try again; HTTP answers 503. Nothing of the failed change was
 * stored.
 *
 * <p>The message contains neither SQL nor values. The cause is only for the log.
 */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
