package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class BodyMemoryLimiterTest {
  private final BodyMemoryLimiter memory = new BodyMemoryLimiter(3_000, 2_000);
  private final MockHttpServletRequest first = new MockHttpServletRequest();
  private final MockHttpServletRequest second = new MockHttpServletRequest();

  @Test
  void grow_intoWhatOthersHave_isOverloadedUntilTheyEnd() {
    memory.reserve(first, "a").grow(2_000);
    BodyMemoryLimiter.Reservation other = memory.reserve(second, "b");
    other.grow(1_000);
    assertOverloaded(() -> other.grow(1));

    BodyMemoryLimiter.release(first);
    BodyMemoryLimiter.release(first);

    other.grow(1_000);
    assertOverloaded(() -> memory.reserve(first, "a").grow(1_001));
  }

  @Test
  void grow_overTheShareOfOneClient_leavesTheRestToOthers() {
    memory.reserve(first, "a").grow(1_500);
    MockHttpServletRequest more = new MockHttpServletRequest();
    BodyMemoryLimiter.Reservation sameClient = memory.reserve(more, "a");
    sameClient.grow(500);
    assertOverloaded(() -> sameClient.grow(1));

    memory.reserve(second, "b").grow(1_000);
    BodyMemoryLimiter.release(more);
    BodyMemoryLimiter.release(second);

    memory.reserve(more, "a").grow(500);
  }

  private static void assertOverloaded(Runnable call) {
    assertThatExceptionOfType(DeniedException.class)
        .isThrownBy(call::run)
        .satisfies(
            refused -> {
              assertThat(refused.denial().reason()).isEqualTo(Reason.OVERLOADED);
              assertThat(refused.denial().headers()).containsEntry("Retry-After", "1");
            });
  }
}
