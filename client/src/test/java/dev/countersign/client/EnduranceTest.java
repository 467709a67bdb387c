package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.base.HttpDate;
import dev.countersign.testing.Waits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * A service or a network that misbehaves: the client returns the right response or a clear error.
 */
class EnduranceTest {
  private static final Reply OK = Reply.json("{\"a\": 1}");

  private final RecordedWaits waits = new RecordedWaits();

  private static CountersignException refusal(Runnable call) {
    return catchThrowableOfType(CountersignException.class, call::run);
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void get_busyService_isAskedAgain(int status) throws Exception {
    Reply busy = Reply.status(status);
    try (SignedServer server = SignedServer.replying(busy, busy, OK)) {
      assertThat(waits.client(server.uri()).build().get("/a", JsonNode.class).path("a").asInt())
          .isEqualTo(1);
      // Half of 250 ms, then half of 500 ms.
      assertThat(waits.all()).containsExactly(Duration.ofMillis(125), Duration.ofMillis(250));
    }
  }

  @Test
  void get_connectionDropped_isAskedAgain() throws Exception {
    // The JDK's client sends the request again by itself if a connection is dropped.
    AtomicInteger calls = new AtomicInteger();
    try (SignedServer server =
        SignedServer.replying(request -> calls.incrementAndGet() < 6 ? Reply.NONE : OK)) {
      RetryPolicy patient = RetryPolicy.standard().withAttempts(8);

      assertThat(
              waits
                  .client(server.uri())
                  .withRetries(patient)
                  .build()
                  .get("/a", JsonNode.class)
                  .path("a")
                  .asInt())
          .isEqualTo(1);
      assertThat(waits.all()).isNotEmpty();
    }
  }

  @Test
  void get_nobodyListens_failsAfterAllAttempts() throws Exception {
    // Bound without listening, so that no other process takes the port.
    try (Socket deaf = new Socket()) {
      deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = deaf.getLocalPort();
      CountersignClient client = waits.client(URI.create("http://127.0.0.1:" + port)).build();

      CountersignException thrown = refusal(() -> client.get("/a", JsonNode.class));

      assertThat(thrown.reason()).isEqualTo("connection_failed");
      assertThat(thrown.attempts()).isEqualTo(4);
      assertThat(thrown.status()).isEmpty();
      assertThat(waits.all()).hasSize(3);
      assertThat(thrown)
          .hasMessage(
              "connection_failed: GET http://127.0.0.1:"
                  + port
                  + "/a: nothing accepts connections at 127.0.0.1:"
                  + port
                  + " (4 attempts)");
    }
  }

  @Test
  void get_busyForEver_failsWithTheRefusal() throws Exception {
    Reply busy = Reply.problem(503, "\"reason\": \"overloaded\", \"detail\": \"try later\"");
    try (SignedServer server = SignedServer.replying(busy)) {
      CountersignException thrown =
          refusal(() -> waits.client(server.uri()).build().get("/a", JsonNode.class));

      assertThat(thrown.reason()).isEqualTo("overloaded");
      assertThat(thrown.attempts()).isEqualTo(4);
      assertThat(thrown).hasMessageEndingWith("try later (status 503, 4 attempts)");
      assertThat(server.requests()).hasSize(4);
    }
  }

  @Test
  void get_ofAListThatTakesTooLongToCount_isNotAskedAgain() throws Exception {
    Reply slow = Reply.problem(503, "\"reason\": \"total_unavailable\", \"detail\": \"too long\"");
    try (SignedServer server = SignedServer.replying(slow)) {
      CountersignException thrown =
          refusal(() -> waits.client(server.uri()).build().get("/a", JsonNode.class));

      assertThat(thrown.reason()).isEqualTo("total_unavailable");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void get_retriesNone_failsAtOnce() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(503))) {
      CountersignClient client = waits.client(server.uri()).withRetries(RetryPolicy.none()).build();

      assertThat(refusal(() -> client.get("/a", JsonNode.class)).attempts()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 422, 500, 502})
  void get_refusedForGood_isNotAskedAgain(int status) throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(status), OK)) {
      CountersignException thrown =
          refusal(() -> waits.client(server.uri()).build().get("/a", JsonNode.class));

      assertThat(thrown.reason()).isEqualTo("http_" + status);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void retry_isSignedAnewWithANewDate() throws Exception {
    Instant start = Instant.now();
    AtomicInteger readings = new AtomicInteger();
    Clock ticking = new TickingClock(() -> start.plusSeconds(readings.getAndIncrement()));
    try (SignedServer server = SignedServer.replying(Reply.status(503), OK)) {
      waits.client(server.uri()).withClock(ticking).build().get("/a", JsonNode.class);

      assertThat(server.requests()).extracting(r -> r.header("date")).doesNotHaveDuplicates();
      assertThat(server.requests()).extracting(r -> r.header("signature")).doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "00000000000000000000007"})
  void retryAfter_seconds_areWaitedFor(String seconds) throws Exception {
    Reply busy = Reply.status(429).with("Retry-After", seconds);
    try (SignedServer server = SignedServer.replying(busy, OK)) {
      waits.client(server.uri()).build().get("/a", JsonNode.class);

      assertThat(waits.all()).containsExactly(Duration.ofSeconds(7));
    }
  }

  @Test
  void retryAfter_date_isWaitedFor() throws Exception {
    String date = HttpDate.format(Instant.now().plusSeconds(3600));
    RetryPolicy patient = RetryPolicy.standard().withMaximumDelay(Duration.ofHours(2));
    try (SignedServer server =
        SignedServer.replying(Reply.status(503).with("Retry-After", date), OK)) {
      waits.client(server.uri()).withRetries(patient).build().get("/a", JsonNode.class);

      assertThat(waits.all().get(0)).isBetween(Duration.ofMinutes(50), Duration.ofMinutes(60));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"31", "1000000000", "99999999999999999999"})
  void retryAfter_beyondTheMaximum_isTheRefusal(String seconds) throws Exception {
    Reply busy = Reply.status(429).with("Retry-After", seconds);
    try (SignedServer server = SignedServer.replying(busy, OK)) {
      CountersignException thrown =
          refusal(() -> waits.client(server.uri()).build().get("/a", JsonNode.class));

      assertThat(thrown.reason()).isEqualTo("http_429");
      assertThat(waits.all()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "+1", "soon", "1.5", ""})
  void retryAfter_ofNoMeaning_isPassedOver(String value) throws Exception {
    try (SignedServer server =
        SignedServer.replying(Reply.status(503).with("Retry-After", value), OK)) {
      waits.client(server.uri()).build().get("/a", JsonNode.class);

      assertThat(waits.all()).containsExactly(Duration.ofMillis(125));
    }
  }

  @Test
  void post_underIdempotencyKey_isSentAgainWithTheSameKey() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.NONE, Reply.status(503), OK)) {
      waits.client(server.uri()).build().post("/a", "x", JsonNode.class);

      assertThat(server.requests()).hasSizeGreaterThanOrEqualTo(3);
      assertThat(server.requests())
          .extracting(request -> request.header("idempotency-key"))
          .doesNotContain("absent")
          .containsOnly(server.requests().get(0).header("idempotency-key"));
      assertThat(server.requests()).allMatch(request -> request.body().length == 3);
    }
  }

  @Test
  void post_stillInProgress_isAskedForAgain() throws Exception {
    Reply running = Reply.problem(409, "\"reason\": \"in_progress\"").with("Retry-After", "1");
    try (SignedServer server = SignedServer.replying(running, OK)) {
      waits.client(server.uri()).build().post("/a", "x", JsonNode.class);

      assertThat(waits.all()).containsExactly(Duration.ofSeconds(1));
    }
  }

  @Test
  void post_withoutIdempotencyKey_isSentOnce() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(503), OK)) {
      CountersignClient client = waits.client(server.uri()).withoutIdempotencyKeys().build();

      assertThat(refusal(() -> client.post("/a", "x", JsonNode.class)).attempts()).isEqualTo(1);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "DELETE", "PATCH"})
  void send_unsafeMethod_isSentOnceUnlessKeyed(String method) throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(503))) {
      CountersignClient client = waits.client(server.uri()).build();
      HttpRequest.Builder request =
          HttpRequest.newBuilder(server.uri("/a")).method(method, BodyPublishers.noBody());

      assertThat(client.send(request.build()).statusCode()).isEqualTo(503);
      assertThat(server.requests()).hasSize(1);
      client.send(request.header("Idempotency-Key", "k").build());
      assertThat(server.requests()).hasSize(5);
    }
  }

  @Test
  void get_serviceThatNeverAnswers_timesOut() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (SignedServer server = SignedServer.replying(request -> heldBack(release))) {
      CountersignClient client =
          waits
              .client(server.uri())
              .withTimeout(Duration.ofMillis(300))
              .withRetries(RetryPolicy.none().withAttempts(2))
              .build();

      CountersignException thrown = refusal(() -> client.get("/a", JsonNode.class));

      release.countDown();
      assertThat(thrown.reason()).isEqualTo("timeout");
      assertThat(thrown.attempts()).isEqualTo(2);
      assertThat(thrown).hasMessageContaining("no complete response within 300 ms (2 attempts)");
    }
  }

  private static Reply heldBack(CountDownLatch release) {
    try {
      Waits.forLatch(release);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return OK;
  }

  @Test
  void get_bodyThatDripsForEver_timesOut() throws Exception {
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    try (RawAnswer server = RawAnswer.leftOpen(head)) {
      CountersignClient client =
          waits
              .client(server.uri())
              .withTimeout(Duration.ofMillis(500))
              .withRetries(RetryPolicy.none())
              .build();

      assertThat(refusal(() -> client.get("/a", JsonNode.class)).reason()).isEqualTo("timeout");
    }
  }

  @Test
  void get_answerCutShort_isNoAnswer() throws Exception {
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{}";
    try (RawAnswer server = RawAnswer.closed(head)) {
      CountersignException thrown =
          refusal(() -> waits.client(server.uri()).build().get("/a", JsonNode.class));

      assertThat(thrown.reason()).isEqualTo("connection_failed");
      assertThat(thrown.attempts()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u001b[31mHTTP/9 nonsense\r\n\r\n", "SSH-2.0-x\r\n", "\0\0\0\0"})
  void get_answerThatIsNoHttp_isAClearError(String bytes) throws Exception {
    try (RawAnswer server = RawAnswer.closed(bytes)) {
      CountersignException thrown =
          refusal(() -> waits.client(server.uri()).build().get("/a", JsonNode.class));

      assertThat(thrown.reason()).isEqualTo("connection_failed");
      assertThat(thrown.getMessage().getBytes(StandardCharsets.UTF_8)).doesNotContain(0, 27);
    }
  }

  @Test
  void get_interrupted_endsAndStaysInterrupted() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch arrived = new CountDownLatch(1);
    try (SignedServer server =
        SignedServer.replying(
            request -> {
              arrived.countDown();
              return heldBack(release);
            })) {
      AtomicReference<CountersignException> thrown = new AtomicReference<>();
      AtomicReference<Boolean> flag = new AtomicReference<>();
      Thread caller =
          new Thread(
              () -> {
                CountersignClient client = waits.client(server.uri()).build();
                thrown.set(refusal(() -> client.get("/a", JsonNode.class)));
                flag.set(Thread.currentThread().isInterrupted());
              });
      caller.start();
      Waits.forLatch(arrived);
      caller.interrupt();
      Waits.forEnd(caller);
      release.countDown();

      assertThat(thrown.get().reason()).isEqualTo("interrupted");
      assertThat(flag.get()).isTrue();
    }
  }

  @Test
  void get_interruptedBetweenAttempts_endsAndStaysInterrupted() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(503))) {
      CountersignClient client =
          waits
              .client(server.uri())
              .withRetryTiming(
                  new RetryTiming(
                      () -> 0.5,
                      wait -> {
                        throw new InterruptedException();
                      }))
              .build();

      CountersignException thrown = refusal(() -> client.get("/a", JsonNode.class));

      assertThat(thrown.reason()).isEqualTo("interrupted");
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
