package dev.countersign.server.access;

import java.util.Locale;

/**
 * How far the sender's identity was verified.
 *
 * <p>Records of requests are rationed by it: a flood from senders without a private key cannot take
 * the space of those who have one.
 */
public enum Standing {
  /** The signature has verified; a later check may still have refused the request. */
  VERIFIED,
  /** It names a registered, enabled client and comes from that client's network, and no more. */
  CLAIMED,
  /** Everything else, also a request that names a client. */
  ANONYMOUS;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The stable word, such as {@code verified}. */
  public String word() {
    return word;
  }
}
