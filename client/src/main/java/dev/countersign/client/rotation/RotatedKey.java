package dev.countersign.client.rotation;

import java.time.Instant;
import java.util.Optional;

/**
 * What is registered after a rotation.
 *
 * @param fingerprint of the key in the key file now: {@code SHA256:} and 43 characters
 * @param previousFingerprint of the key before, while the service still takes it
 * @param previousEndsAt until when it does, by the service's clock
 */
public record RotatedKey(
    String fingerprint, Optional<String> previousFingerprint, Optional<Instant> previousEndsAt) {}
