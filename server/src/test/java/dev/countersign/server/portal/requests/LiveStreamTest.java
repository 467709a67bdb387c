package dev.countersign.server.portal.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Rounds of a live view, without a socket. */
class LiveStreamTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final List<Long> askedAfter = new ArrayList<>();

  @Test
  void stream_farBehind_passesToTheLatestAndSaysSo() throws IOException {
    assertThat(twoRounds(10_000))
        .contains("id: 1000\nevent: requests\n")
        .contains("id: 9000\nevent: passed\ndata: 8000 requests were skipped\n\n")
        .contains("id: 10000\nevent: requests\n");
    assertThat(askedAfter).containsExactly(0L, 9_000L);
  }

  @Test
  void stream_aLittleBehind_passesNothingOver() throws IOException {
    assertThat(twoRounds(2_000)).doesNotContain("passed");
    assertThat(askedAfter).containsExactly(0L, 1_000L);
  }

  private String twoRounds(long latest) throws IOException {
    LiveStream.Source source =
        new LiveStream.Source() {
          @Override
          public LiveStream.Batch after(long id, int limit) {
            askedAfter.add(id);
            return new LiveStream.Batch("<tr>", Math.min(latest, id + limit));
          }

          @Override
          public long latest() {
            return latest;
          }
        };
    // It checks in the first round and in the third.
    AtomicInteger looks = new AtomicInteger();
    try (LiveStreamLimiter.Place place = new LiveStreamLimiter().take().orElseThrow()) {
      new LiveStream(new EventStream(out), place, () -> looks.incrementAndGet() == 1, source)
          .run(0);
    }
    return out.toString(UTF_8);
  }
}
