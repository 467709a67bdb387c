package dev.countersign.client.rotation;

import dev.countersign.client.answers.Pause;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The options of a rotation.
 *
 * @param bits size of the new key in bits; null for the size of the old key
 * @param http the HTTP client; null if the rotation creates one
 * @param warnings receives the warnings of a successful rotation
 * @param passphrase the passphrase of the key file; null for none
 */
record RotationSettings(
    Duration overlap,
    @Nullable Integer bits,
    @Nullable HttpClient http,
    Clock clock,
    Pause pause,
    RotationStep.Listener steps,
    Consumer<String> warnings,
    @Nullable Supplier<char[]> passphrase) {

  RotationSettings withOverlap(Duration other) {
    return new RotationSettings(other, bits, http, clock, pause, steps, warnings, passphrase);
  }

  RotationSettings withBits(int other) {
    return new RotationSettings(overlap, other, http, clock, pause, steps, warnings, passphrase);
  }

  RotationSettings withHttp(HttpClient other) {
    return new RotationSettings(overlap, bits, other, clock, pause, steps, warnings, passphrase);
  }

  RotationSettings withClock(Clock other) {
    return new RotationSettings(overlap, bits, http, other, pause, steps, warnings, passphrase);
  }

  RotationSettings withPause(Pause other) {
    return new RotationSettings(overlap, bits, http, clock, other, steps, warnings, passphrase);
  }

  RotationSettings withSteps(RotationStep.Listener other) {
    return new RotationSettings(overlap, bits, http, clock, pause, other, warnings, passphrase);
  }

  RotationSettings withWarnings(Consumer<String> other) {
    return new RotationSettings(overlap, bits, http, clock, pause, steps, other, passphrase);
  }

  RotationSettings withPassphrase(Supplier<char[]> other) {
    return new RotationSettings(overlap, bits, http, clock, pause, steps, warnings, other);
  }
}
