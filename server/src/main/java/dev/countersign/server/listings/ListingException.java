package dev.countersign.server.listings;

/**
 * Reports that a listing cannot be served because of its definition. The service then does not
 * start. The message is one line for the operator. It names the listing, the offending entry, the
 * rule and the fix.
 */
public final class ListingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ListingException(String message) {
    super(message);
  }
}
