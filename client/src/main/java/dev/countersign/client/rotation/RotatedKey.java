package dev.countersign.client.rotation;

import java.time.Instant;
import java.util.Optional;

/**
 * The keys that are registered after a rotation.
 *
 * @param fingerprint of the key in the key file now: {@code SHA256:} and 43 characters
 * @param previousFingerprint of the key before, while the service still accepts it
 * @param previousEndsAt when the service stops accepting it, by the service's clock
 */
public record RotatedKey(
    String fingerprint, Optional<String> previousFingerprint, Optional<Instant> previousEndsAt) {}
