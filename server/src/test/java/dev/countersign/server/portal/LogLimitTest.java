package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class LogLimitTest {
  private final AtomicLong now = new AtomicLong();
  private final LogLimit limit = new LogLimit(now::get);

  @Test
  void requestsOfPages_repeated_areAdmittedOnceAMinute() {
    assertThat(limit.admits(request("/portal/requests/live"))).isTrue();
    now.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(limit.admits(request("/portal/requests/live"))).isFalse();
    assertThat(limit.admits(request("/portal/overview"))).isFalse();
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(limit.admits(request("/portal/overview"))).isTrue();
  }

  @Test
  void requestsOfOperators_areAllAdmitted() {
    assertThat(limit.admits(request("/portal/requests"))).isTrue();
    assertThat(limit.admits(request("/portal/requests"))).isTrue();
  }

  @Test
  void failuresThatAnybodyCanCause_repeated_areAdmittedOnceAMinute() {
    assertThat(limit.admits()).isTrue();
    now.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(limit.admits()).isFalse();
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(limit.admits()).isTrue();
  }

  private static MockHttpServletRequest request(String path) {
    return new MockHttpServletRequest("GET", path);
  }
}
