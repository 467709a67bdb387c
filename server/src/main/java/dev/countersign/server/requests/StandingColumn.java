package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.TrustLevel;

/** Maps a standing to the number that the store keeps. The numbers never change. */
final class StandingColumn {
  private StandingColumn() {}

  static int of(TrustLevel standing) {
    return switch (standing) {
      case VERIFIED -> 0;
      case CLAIMED -> 1;
      case ANONYMOUS -> 2;
    };
  }

  static TrustLevel read(int number) {
    return switch (number) {
      case 0 -> TrustLevel.VERIFIED;
      case 1 -> TrustLevel.CLAIMED;
      default -> TrustLevel.ANONYMOUS;
    };
  }
}
