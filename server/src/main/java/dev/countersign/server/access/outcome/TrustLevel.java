package dev.countersign.server.access.outcome;

import java.util.Locale;

/**
 * The degree to which the sender's identity was verified.
 *
 * <p>Log lines, metrics, the store and the portal's URLs call it {@code standing}.
 *
 * <p>Each level has its own share of the records of requests, so that a flood from senders without
 * a private key does not displace the records of others.
 */
public enum TrustLevel {
  /** The signature was verified; a later check may still have refused the request. */
  VERIFIED,
  /**
   * The request names a registered, enabled client and comes from an address on its network
   * whitelist, but was not verified.
   */
  CLAIMED,
  /** All other requests, including those that name a client. */
  ANONYMOUS;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** Returns the stable word, such as {@code verified}. */
  public String word() {
    return word;
  }
}
