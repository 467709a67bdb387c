package dev.countersign.server.operators.signin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.clients.TestClock;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The numbers that the throttle's description promises, for one network that guesses at a name. */
class SignInThrottleTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final TestClock clock = new TestClock();
  private final Instant start = clock.instant();
  private final SignInThrottle throttle = new SignInThrottle(clock, time -> {});

  /** Guesses as soon as each wait is over, and returns how many guesses fit into the time. */
  private int guessesUntil(Instant end) {
    int guesses = 0;
    while (clock.instant().isBefore(end)) {
      try {
        throttle.begin("admin", InetAddress.getLoopbackAddress(), null);
        guesses++;
      } catch (SignInException slowed) {
        clock.advance(Duration.ofSeconds(1));
      }
    }
    return guesses;
  }

  @Test
  void guesses_withoutAPause_areFourAnHourAfterTheFirst() {
    assertThat(guessesUntil(start.plus(HOUR))).isEqualTo(17);
    assertThat(guessesUntil(start.plus(HOUR.multipliedBy(2)))).isEqualTo(4);
    assertThat(guessesUntil(start.plus(HOUR.multipliedBy(3)))).isEqualTo(4);
  }

  @Test
  void guesses_withAPauseOfAnHour_areAsManyAgain() {
    Duration nineMinutes = Duration.ofMinutes(9);
    assertThat(guessesUntil(start.plus(nineMinutes))).isEqualTo(14);
    clock.advance(HOUR);
    assertThat(guessesUntil(clock.instant().plus(nineMinutes))).isEqualTo(14);
  }
}
