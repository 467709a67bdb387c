package dev.countersign.client.rotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.signatures.keys.KeyFingerprint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A rotation that ends at each of its steps, and the call after it. */
class RotationCrashTest {
  @TempDir Path path;
  private final MovedClock clock = new MovedClock(Instant.parse("2026-01-01T00:00:00Z"));
  KeyFolder folder;
  private FakeService service;

  @BeforeEach
  void start() throws Exception {
    folder = make(new KeyFolder(path));
    service = new FakeService(KeyFolder.first(), clock);
  }

  KeyFolder make(KeyFolder empty) throws Exception {
    return empty.withKey();
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @ParameterizedTest
  @EnumSource(RotationStep.class)
  void crash_atAnyStep_leavesAKeyThatWorks(RotationStep step) {
    crashAt(step);

    assertThat(service.live.stream().map(RotationCrashTest::fingerprint))
        .contains(KeyFolder.fingerprintOf(folder.key()));
  }

  @ParameterizedTest
  @EnumSource(
      value = RotationStep.class,
      names = {"NEXT_WRITTEN", "REGISTERED", "PREVIOUS_KEPT", "PUBLIC_WRITTEN"})
  void call_afterACrash_goesOnWithTheSameKey(RotationStep step) throws Exception {
    crashAt(step);
    String next = KeyFolder.fingerprintOf(folder.next());
    clock.move(Duration.ofSeconds(2));

    assertThat(rotation().rotate().fingerprint()).isEqualTo(next).isEqualTo(service.newest());
    assertThat(service.live).hasSize(2);
    assertEnded(next);
  }

  @ParameterizedTest
  @EnumSource(
      value = RotationStep.class,
      names = {"REGISTERED", "PREVIOUS_KEPT", "PUBLIC_WRITTEN"})
  void call_afterACrashAndTheEndOfTheOldKey_goesOnWithTheNewOne(RotationStep step)
      throws Exception {
    crashAt(step);
    String next = KeyFolder.fingerprintOf(folder.next());
    service.endOld();
    clock.move(Duration.ofSeconds(2));

    assertThat(rotation().rotate().fingerprint()).isEqualTo(next);
    assertEnded(next);
  }

  @Test
  void call_afterACrashInTheMiddleOfTheNextFile_beginsAnew() throws Exception {
    Files.writeString(path.resolve("partner.key.next.new"), "-----BEGIN PRIV");
    Files.writeString(path.resolve("partner.pub.new"), "-----BEGIN PUB");

    String fingerprint = rotation().rotate().fingerprint();

    assertEnded(fingerprint);
  }

  private void assertEnded(String fingerprint) throws Exception {
    assertThat(KeyFolder.fingerprintOf(folder.key())).isEqualTo(fingerprint);
    assertThat(KeyFolder.fingerprintOf(folder.previous())).isEqualTo(KeyFolder.firstFingerprint());
    assertThat(folder.names())
        .containsExactly("partner.key", "partner.key.lock", "partner.key.previous", "partner.pub");
  }

  private void crashAt(RotationStep step) {
    assertThatThrownBy(() -> rotation().withListener(Crash.at(step)).rotate())
        .isInstanceOf(Crash.class);
  }

  KeyRotation rotation() {
    return KeyRotation.of(service.uri(), "c1", folder.key())
        .withClock(clock)
        .withPause(duration -> clock.move(duration));
  }

  private static String fingerprint(PublicKey key) {
    return KeyFingerprint.of(key).value();
  }
}
