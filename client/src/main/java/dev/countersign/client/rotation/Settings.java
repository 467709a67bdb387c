package dev.countersign.client.rotation;

import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The options of a rotation.
 *
 * @param bits size of the new key; null for that of the old one
 * @param http null for a client that the rotation creates
 * @param warnings receives the warnings of a successful rotation
 * @param passphrase of the key file; null for none
 */
record Settings(
    Duration overlap,
    @Nullable Integer bits,
    @Nullable HttpClient http,
    Clock clock,
    RotationCall.Pause pause,
    RotationStep.Listener steps,
    Consumer<String> warnings,
    @Nullable Supplier<char[]> passphrase) {

  Settings withOverlap(Duration other) {
    return new Settings(other, bits, http, clock, pause, steps, warnings, passphrase);
  }

  Settings withBits(int other) {
    return new Settings(overlap, other, http, clock, pause, steps, warnings, passphrase);
  }

  Settings withHttp(HttpClient other) {
    return new Settings(overlap, bits, other, clock, pause, steps, warnings, passphrase);
  }

  Settings withClock(Clock other) {
    return new Settings(overlap, bits, http, other, pause, steps, warnings, passphrase);
  }

  Settings withPause(RotationCall.Pause other) {
    return new Settings(overlap, bits, http, clock, other, steps, warnings, passphrase);
  }

  Settings withSteps(RotationStep.Listener other) {
    return new Settings(overlap, bits, http, clock, pause, other, warnings, passphrase);
  }

  Settings withWarnings(Consumer<String> other) {
    return new Settings(overlap, bits, http, clock, pause, steps, other, passphrase);
  }

  Settings withPassphrase(Supplier<char[]> other) {
    return new Settings(overlap, bits, http, clock, pause, steps, warnings, other);
  }
}
