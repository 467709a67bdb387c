package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class BodyMemoryLimiterTest {
  private final BodyMemoryLimiter memory = new BodyMemoryLimiter(3_000);
  private final MockHttpServletRequest first = new MockHttpServletRequest();
  private final MockHttpServletRequest second = new MockHttpServletRequest();

  @Test
  void take_whatOthersHave_isOverloadedUntilTheyEnd() {
    memory.take(first, 2_049);
    assertThatExceptionOfType(DeniedException.class)
        .isThrownBy(() -> memory.take(second, 1))
        .satisfies(e -> assertThat(e.denial().reason()).isEqualTo(Reason.OVERLOADED));

    BodyMemoryLimiter.release(first);
    BodyMemoryLimiter.release(first);

    memory.take(second, 3_000);
    assertThatExceptionOfType(DeniedException.class).isThrownBy(() -> memory.take(first, 1));
  }
}
