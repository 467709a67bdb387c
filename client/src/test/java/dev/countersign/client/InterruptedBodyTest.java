package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.testing.Waits;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The caller can interrupt the wait for a body that does not arrive. */
class InterruptedBodyTest {
  private final CountDownLatch subscribed = new CountDownLatch(1);
  private final AtomicBoolean cancelled = new AtomicBoolean();

  private static CountersignException refusal(BodyPublisher body) {
    CountersignClient client = new RecordedWaits().client(URI.create("http://localhost:1")).build();
    return catchThrowableOfType(
        CountersignException.class, () -> client.post("/a", body, JsonNode.class));
  }

  /** A body that publishes neither bytes nor an end. */
  private Flow.Subscription silent() {
    return new Flow.Subscription() {
      @Override
      public void request(long parts) {
        subscribed.countDown();
      }

      @Override
      public void cancel() {
        cancelled.set(true);
      }
    };
  }

  @Test
  void post_interruptedWhileTheBodyIsRead_endsAndStaysInterrupted() throws Exception {
    BodyPublisher body =
        BodyPublishers.fromPublisher(subscriber -> subscriber.onSubscribe(silent()));
    AtomicReference<CountersignException> thrown = new AtomicReference<>();
    AtomicBoolean flag = new AtomicBoolean();
    Thread caller =
        new Thread(
            () -> {
              thrown.set(refusal(body));
              flag.set(Thread.currentThread().isInterrupted());
            });
    caller.setDaemon(true);
    caller.start();
    Waits.forLatch(subscribed);

    caller.interrupt();
    Waits.forEnd(caller);

    assertThat(thrown.get().reason()).isEqualTo("interrupted");
    assertThat(flag).isTrue();
    assertThat(cancelled).isTrue();
  }

  /** Also an InterruptedIOException, although nobody interrupted anything. */
  @Test
  void post_bodyThatTimesOut_isUnreadable() {
    InputStream slow =
        new InputStream() {
          @Override
          public int read() throws SocketTimeoutException {
            throw new SocketTimeoutException("Read timed out");
          }
        };

    assertThat(refusal(BodyPublishers.ofInputStream(() -> slow)).reason())
        .isEqualTo("body_unreadable");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
