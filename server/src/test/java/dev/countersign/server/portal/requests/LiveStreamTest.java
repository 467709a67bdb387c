package dev.countersign.server.portal.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.requests.RequestPosition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Rounds of a live view, without a socket. */
class LiveStreamTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final List<RequestPosition> askedAfter = new ArrayList<>();

  @Test
  void stream_ofTooManyRequests_saysHowManyAreSkipped() throws IOException {
    assertThat(twoRounds(8_000))
        .contains("event: passed\ndata: 8000 requests were skipped\n\n")
        .contains("id: 7-1\nevent: requests\n")
        .contains("id: 7-2\nevent: requests\n");
    assertThat(askedAfter).containsExactly(position(0), position(1));
  }

  @Test
  void stream_thatKeepsUp_skipsNothing() throws IOException {
    assertThat(twoRounds(0)).doesNotContain("passed");
  }

  private static RequestPosition position(long number) {
    return new RequestPosition(Map.of(7L, number));
  }

  private String twoRounds(long skipped) throws IOException {
    LiveStream.Source source =
        (at, limit) -> {
          askedAfter.add(at);
          return new LiveStream.Batch("<tr>", position(askedAfter.size()), skipped);
        };
    // It checks in the first round and in the third.
    AtomicInteger looks = new AtomicInteger();
    try (LiveStreamLimiter.Place place = new LiveStreamLimiter().take().orElseThrow()) {
      new LiveStream(new EventStream(out), place, () -> looks.incrementAndGet() == 1, source)
          .run(position(0));
    }
    return out.toString(UTF_8);
  }
}
