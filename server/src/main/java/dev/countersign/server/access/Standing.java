package dev.countersign.server.access;

/**
 * How much of a request's word about its sender was proven when it ended.
 *
 * <p>It bounds what a flood can do: whoever knows no private key gets no share of what is kept for
 * those who do.
 */
public enum Standing {
  /** Its signature has verified (check 7), whatever came after. */
  VERIFIED,
  /** It names a registered, enabled client and comes from that client's network, and no more. */
  CLAIMED,
  /** Everything else; a clientId that it has is a mere word. */
  STRANGER
}
