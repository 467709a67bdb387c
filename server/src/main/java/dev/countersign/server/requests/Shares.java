package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.TrustLevel;

/**
 * The share of each standing in the rate and in the rows, so that a flood of one does not displace
 * the others: seven tenths for verified requests, two for those that only name a client, one for
 * anonymous ones.
 */
final class Shares {
  private Shares() {}

  static int of(TrustLevel standing, int whole) {
    int tenths =
        switch (standing) {
          case VERIFIED -> 7;
          case CLAIMED -> 2;
          case ANONYMOUS -> 1;
        };
    return Math.max(1, (int) ((long) whole * tenths / 10));
  }
}
