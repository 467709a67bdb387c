package dev.countersign.server.operators.signin;

import static dev.countersign.server.operators.signin.Bench.address;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.clients.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OpenIdAttemptLimiterTest {
  private final TestClock clock = new TestClock();
  private final OpenIdAttemptLimiter limiter = new OpenIdAttemptLimiter(clock);

  @Test
  void tryBegin_moreThanTwentyInAMinute_waitsForTheNextOne() {
    for (int i = 0; i < 20; i++) {
      assertThat(limiter.tryBegin(address("192.0.2.1"))).isZero();
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(limiter.tryBegin(address("192.0.2.1"))).isEqualTo(Duration.ofSeconds(40));
    assertThat(limiter.tryBegin(address("192.0.2.2"))).isZero();
    clock.advance(Duration.ofSeconds(40));
    assertThat(limiter.tryBegin(address("192.0.2.1"))).isZero();
  }

  @Test
  void tryBegin_inOneIpv6Network_countsAsOneAddress() {
    for (int i = 0; i < 20; i++) {
      assertThat(limiter.tryBegin(address("2001:db8::" + i))).isZero();
    }
    assertThat(limiter.tryBegin(address("2001:db8::ffff"))).isPositive();
    assertThat(limiter.tryBegin(address("2001:db8:0:1::1"))).isZero();
  }
}
