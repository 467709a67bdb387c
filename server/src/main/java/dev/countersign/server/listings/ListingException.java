package dev.countersign.server.listings;

/**
 * Reports that a listing's definition cannot be served, so that the service does not start. The
 * message is one line for the operator that names the listing, the offending entry, the rule and
 * the fix.
 */
public final class ListingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ListingException(String message) {
    super(message);
  }
}
