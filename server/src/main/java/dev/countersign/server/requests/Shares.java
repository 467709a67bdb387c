package dev.countersign.server.requests;

import dev.countersign.server.access.Standing;

/**
 * What each standing has of the rate and of the rows, so that none can take from another: of ten,
 * verified requests have seven, those that only name a client two, anonymous ones one.
 */
final class Shares {
  private Shares() {}

  static int of(Standing standing, int whole) {
    int tenths =
        switch (standing) {
          case VERIFIED -> 7;
          case CLAIMED -> 2;
          case ANONYMOUS -> 1;
        };
    return Math.max(1, (int) ((long) whole * tenths / 10));
  }
}
