package dev.countersign.server.clients;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A public key of a client.
 *
 * @param fingerprint the key's fingerprint: {@code SHA256:} and 43 characters of base64
 * @param publicKey the base64 of its SubjectPublicKeyInfo
 * @param bits the size of its modulus in bits
 * @param addedAt when it was registered
 * @param endsAt when the key stops verifying; null for a key without an end
 */
public record ClientKey(
    String fingerprint, String publicKey, int bits, Instant addedAt, @Nullable Instant endsAt) {

  /** Returns whether the key verifies signatures at the given time. */
  public boolean isLiveAt(Instant time) {
    return endsAt == null || time.isBefore(endsAt);
  }

  /** Returns a string without the key itself, because logs name keys by fingerprint. */
  @Override
  public String toString() {
    return fingerprint + " (" + bits + " bits)";
  }
}
