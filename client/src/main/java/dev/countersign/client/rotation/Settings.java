package dev.countersign.client.rotation;

import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.OptionalInt;

/** What a rotation may be told; where the bits are empty the new key is as long as the old. */
record Settings(
    Duration overlap,
    OptionalInt bits,
    HttpClient http,
    Clock clock,
    RotationCall.Pause pause,
    RotationStep.Listener steps) {

  Settings withOverlap(Duration other) {
    return new Settings(other, bits, http, clock, pause, steps);
  }

  Settings withBits(int other) {
    return new Settings(overlap, OptionalInt.of(other), http, clock, pause, steps);
  }

  Settings withHttp(HttpClient other) {
    return new Settings(overlap, bits, other, clock, pause, steps);
  }

  Settings withClock(Clock other) {
    return new Settings(overlap, bits, http, other, pause, steps);
  }

  Settings withPause(RotationCall.Pause other) {
    return new Settings(overlap, bits, http, clock, other, steps);
  }

  Settings withSteps(RotationStep.Listener other) {
    return new Settings(overlap, bits, http, clock, pause, other);
  }
}
