package dev.countersign.client.rotation;

import java.time.Instant;
import java.util.Optional;

/**
 * The keys that are registered after a rotation.
 *
 * @param fingerprint the fingerprint of the key that the key file now holds: {@code SHA256:} and 43
 *     characters
 * @param previousFingerprint the fingerprint of the previous key, while the service still accepts
 *     it
 * @param previousEndsAt when the service stops accepting the previous key, by the service's clock
 */
public record RotatedKey(
    String fingerprint, Optional<String> previousFingerprint, Optional<Instant> previousEndsAt) {}
