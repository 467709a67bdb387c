package dev.countersign.server.store;

/**
 * Reports that the store cannot answer now: it is busy, locked, unreachable, full or read-only, or
 * it was damaged while the service was running. The caller may try again. After {@link
 * CountTimeout}, another attempt is unlikely to succeed. No part of the failed change was stored,
 * except as {@link CommitUnknown} says.
 *
 * <p>The API answers with 503. {@code ListingFailures} turns the exception into a refusal if it
 * ends an operation on a listing; {@code SignatureFilter} does so for all other requests. {@code
 * ReplayGuard} refuses a write or a nonce whose commit is unknown before either of them sees it.
 *
 * <p>The message contains neither SQL nor values. The cause is only for the log.
 */
public sealed class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message) {
    super(message);
  }

  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Reports that rows could not be counted in the time that the count had. */
  public static final class CountTimeout extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    private final boolean hadFullLimit;

    /** Creates an instance for a count that was not tried. */
    public CountTimeout(String message) {
      super(message);
      this.hadFullLimit = false;
    }

    /** Creates an instance for a count that was ended. */
    public CountTimeout(String message, boolean hadFullLimit, Throwable cause) {
      super(message, cause);
      this.hadFullLimit = hadFullLimit;
    }

    /**
     * Returns whether the count had its full time limit, and not only the time that a request had
     * left.
     */
    public boolean hadFullLimit() {
      return hadFullLimit;
    }
  }

  /**
   * Reports that the database did not confirm a commit, for example because the connection died
   * before the answer arrived. The change may be stored as a whole, may be stored later, or is not
   * stored at all.
   */
  public static final class CommitUnknown extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    public CommitUnknown(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
