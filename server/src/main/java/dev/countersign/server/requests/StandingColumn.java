package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.Standing;

/** Maps a standing to the number that the store keeps. The numbers never change. */
final class StandingColumn {
  private StandingColumn() {}

  static int of(Standing standing) {
    return switch (standing) {
      case VERIFIED -> 0;
      case CLAIMED -> 1;
      case ANONYMOUS -> 2;
    };
  }

  static Standing read(int number) {
    return switch (number) {
      case 0 -> Standing.VERIFIED;
      case 1 -> Standing.CLAIMED;
      default -> Standing.ANONYMOUS;
    };
  }
}
