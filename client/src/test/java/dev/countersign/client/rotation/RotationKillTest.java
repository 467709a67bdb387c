package dev.countersign.client.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.keys.KeyFingerprint;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code kill -9} at each step of a rotation: no handler runs, and nothing is closed. */
@Tag("full")
@Tag("alone")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class RotationKillTest {
  @TempDir Path path;
  private final MovedClock clock = new MovedClock(Instant.parse("2026-01-01T00:00:00Z"));
  private FakeService service;

  @BeforeEach
  void start() throws Exception {
    service = new FakeService(KeyFolder.first(), clock);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @ParameterizedTest
  @EnumSource
  void kill_atAnyStep_leavesAKeyThatWorksAndTheNextCallGoesOn(RotationStep step) throws Exception {
    KeyFolder folder = new KeyFolder(path).withKey();

    killAt(step, folder);

    assertGoesOn(step, folder);
  }

  @ParameterizedTest
  @EnumSource
  void kill_withAPassphrase_leavesNothingInTheClearAndTheNextCallGoesOn(RotationStep step)
      throws Exception {
    KeyFolder folder = new KeyFolder(path).withEncryptedKey();

    killAt(step, folder);

    folder.assertNothingInTheClear();
    assertGoesOn(step, folder);
    folder.assertNothingInTheClear();
  }

  private void killAt(RotationStep step, KeyFolder folder) throws Exception {
    try (RotatingProcess process =
        RotatingProcess.startAt(clock.instant(), service.uri(), "c1", folder.key())) {
      process.rotateTo(step);
      process.kill();
    }
  }

  private void assertGoesOn(RotationStep step, KeyFolder folder) {
    assertThat(service.live.stream().map(key -> KeyFingerprint.of(key).value()))
        .contains(KeyFolder.fingerprintOf(folder.key()));
    if (step != RotationStep.SWITCHED) {
      String next = KeyFolder.fingerprintOf(folder.next());
      clock.move(Duration.ofSeconds(2));
      assertThat(rotate(folder).fingerprint()).isEqualTo(next);
    }
    assertThat(KeyFolder.fingerprintOf(folder.key())).isEqualTo(service.newest());
    assertThat(KeyFolder.fingerprintOf(folder.previous())).isEqualTo(KeyFolder.firstFingerprint());
  }

  private RotatedKey rotate(KeyFolder folder) {
    return KeyRotation.of(service.uri(), "c1", folder.key())
        .withClock(clock)
        .withPause(clock::move)
        .withPassphrase(KeyFolder.WORDS::toCharArray)
        .rotate();
  }
}
