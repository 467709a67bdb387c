package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;

/**
 * A key under which a client's request is executed once.
 *
 * @param clientId the client that sent the key
 * @param value 1 to 255 visible ASCII characters, compared byte for byte
 */
record IdempotencyKey(String clientId, String value) {
  private static final int LONGEST = 255;

  /**
   * Checks the header's value.
   *
   * @throws DeniedException {@link Reason#REQUEST_MALFORMED} if it is empty, too long, or has
   *     spaces or other characters
   */
  static IdempotencyKey of(String clientId, String value) {
    if (value.isEmpty()
        || value.length() > LONGEST
        || !value.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new DeniedException(
          Reason.REQUEST_MALFORMED,
          "Idempotency-Key must be 1 to 255 visible ASCII characters without spaces, sent once");
    }
    return new IdempotencyKey(clientId, value);
  }
}
