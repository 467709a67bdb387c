package dev.countersign.server.listings;

/**
 * A listing's definition cannot be served. The message is one line for the operator that names the
 * listing, the offending entry, the rule and the fix; it stops the start.
 */
public final class ListingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ListingException(String message) {
    super(message);
  }
}
