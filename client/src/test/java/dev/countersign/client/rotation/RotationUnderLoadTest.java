package dev.countersign.client.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two clients call continuously while their key is rotated ten times by processes that are killed
 * at random points, before, during and after the request and the renames. {@code -Drotation.seed=…}
 * repeats the same points.
 */
@Tag("full")
@Tag("alone")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class RotationUnderLoadTest {
  private static final int ROTATIONS = 10;

  @TempDir Path path;
  private final Deque<RotatingProcess> processes = new ArrayDeque<>();
  private KeyFolder folder;
  private FakeService service;
  private Random random;
  private int interrupted;

  @Test
  void rotation_killedAtRandomPoints_refusesNoRequest() throws Exception {
    long seed = Long.getLong("rotation.seed", 9421);
    System.out.println("rotation.seed=" + seed);
    random = new Random(seed);
    folder = new KeyFolder(path).withKey();
    try (FakeService started = new FakeService(KeyFolder.first(), Clock.systemUTC())) {
      service = started;
      try (CallingThread one = caller();
          CallingThread two = caller()) {
        List<CallingThread> callers = List.of(one.start(), two.start());
        rotate(callers);
        assertThat(callers).allSatisfy(RotationUnderLoadTest::wasNeverRefused);
      }
    }
    System.out.println(
        ROTATIONS + " rotations, " + interrupted + " of them ended by another process");
  }

  private CallingThread caller() {
    return new CallingThread(service.uri(), "c1", folder.key());
  }

  private void rotate(List<CallingThread> callers) throws Exception {
    try {
      // Two processes ahead, so that the test does not wait for one.
      processes.add(start());
      processes.add(start());
      for (int i = 0; i < ROTATIONS; i++) {
        processes.add(start());
        String before = fingerprint();
        rotate(callers, before);
        // Like the end of the overlap: no client signs with the old key any longer.
        service.endOld();
        callsAreAnswered(callers);
      }
    } finally {
      for (RotatingProcess process : processes) {
        process.close();
      }
    }
  }

  private void rotate(List<CallingThread> callers, String before) throws Exception {
    killAmid(processes.remove().awaitReady(), before);
    callsAreAnswered(callers);
    if (fingerprint().equals(before)) {
      interrupted++;
      processes.element().awaitReady().rotate();
      assertThat(processes.element().answer()).isEqualTo("rotated " + fingerprint());
    }
    assertThat(fingerprint()).isNotEqualTo(before);
    callsAreAnswered(callers);
  }

  /**
   * Kills the process at a random point of one of three parts: the whole rotation, from the new
   * file on, or from the response on.
   */
  private void killAmid(RotatingProcess victim, String before) throws Exception {
    victim.rotate();
    int part = random.nextInt(3);
    if (part == 1) {
      // If this thread was delayed, the rotation may be over already.
      await(() -> Files.exists(folder.next()) || !fingerprint().equals(before));
    } else if (part == 2) {
      await(() -> service.live.size() > 1);
    }
    // Between the response and the renames it waits two seconds.
    Thread.sleep(random.nextInt(part == 2 ? 2400 : 400));
    victim.kill();
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().pollInterval(Duration.ofMillis(1)).until(condition);
  }

  private RotatingProcess start() throws IOException {
    return RotatingProcess.start(service.uri(), "c1", folder.key());
  }

  private String fingerprint() {
    return KeyFolder.fingerprintOf(folder.key());
  }

  private static void callsAreAnswered(List<CallingThread> callers) {
    for (CallingThread caller : callers) {
      caller.awaitAnotherCall();
    }
  }

  private static void wasNeverRefused(CallingThread caller) {
    assertThat(caller.failures()).isEmpty();
    assertThat(caller.warnings()).isEmpty();
    assertThat(caller.answers()).isGreaterThan(ROTATIONS);
  }
}
