package dev.countersign.server.store;

/**
 * The store cannot answer now: busy, locked, unreachable, full, read-only or damaged while running.
 * The caller may try again, and HTTP answers 503. Nothing of the failed change was kept.
 *
 * <p>The message has neither SQL nor values; the cause is for the log alone.
 */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
