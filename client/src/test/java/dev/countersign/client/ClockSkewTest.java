package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A refusal reveals a wrong clock, with the difference. */
class ClockSkewTest {
  private static final Reply OK = Reply.json("{\"a\": 1}");

  private static CountersignClient.Builder wrongBy(Duration skew, SignedServer server) {
    return new RecordedWaits()
        .client(server.uri())
        .withClock(Clock.offset(Clock.systemUTC(), skew));
  }

  private static CountersignException refusal(CountersignClient client) {
    return catchThrowableOfType(CountersignException.class, () -> client.get("/a", JsonNode.class));
  }

  @ParameterizedTest
  @CsvSource({
    "-423, created_too_old, behind the server's",
    "423, created_in_future, ahead of the server's"
  })
  void get_wrongClock_isReportedWithTheFigure(long seconds, String reason, String where)
      throws Exception {
    try (SignedServer server = SignedServer.replying(OK)) {
      CountersignException thrown = refusal(wrongBy(Duration.ofSeconds(seconds), server).build());

      assertThat(thrown.reason()).isEqualTo(reason);
      assertThat(thrown.clockSkew().orElseThrow())
          .isBetween(Duration.ofSeconds(seconds - 60), Duration.ofSeconds(seconds + 60));
      assertThat(thrown)
          .hasMessageContaining("this machine's clock is ")
          .hasMessageContaining(" min ")
          .hasMessageContaining(where);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-423, 423, -86_400 * 400L})
  void get_correctionAllowed_isSignedByTheServersClock(long seconds) throws Exception {
    try (SignedServer server = SignedServer.replying(OK)) {
      CountersignClient client =
          wrongBy(Duration.ofSeconds(seconds), server).allowClockCorrection().build();

      assertThat(client.get("/a", JsonNode.class).path("a").asInt()).isEqualTo(1);
      assertThat(server.requests()).hasSize(2);
      client.post("/a", "b", JsonNode.class);
      assertThat(server.requests()).as("the correction is kept").hasSize(3);
    }
  }

  @Test
  void get_correctionThatDoesNotHelp_isTriedOnce() throws Exception {
    Reply tooOld = Reply.problem(401, "\"reason\": \"created_too_old\", \"detail\": \"no\"");
    try (SignedServer server =
        SignedServer.byClock(Clock.offset(Clock.systemUTC(), Duration.ofHours(-1)), r -> tooOld)) {
      CountersignClient client =
          wrongBy(Duration.ofHours(-1), server).allowClockCorrection().build();

      CountersignException thrown = refusal(client);

      assertThat(thrown.attempts()).isEqualTo(2);
      assertThat(server.requests()).hasSize(2);
    }
  }

  /** A single wrong response must not change the clock of all threads. */
  @Test
  void get_correctionThatDoesNotHelp_isNotKept() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Reply tooOld = Reply.problem(401, "\"reason\": \"created_too_old\"");
    try (SignedServer server =
        SignedServer.byClock(
            Clock.offset(Clock.systemUTC(), Duration.ofHours(-1)),
            request -> calls.incrementAndGet() == 1 ? tooOld : OK)) {
      CountersignClient client =
          wrongBy(Duration.ofHours(-1), server).allowClockCorrection().build();

      assertThat(refusal(client).reason()).isEqualTo("created_in_future");
      assertThat(client.get("/a", JsonNode.class).path("a").asInt()).isEqualTo(1);
      assertThat(server.requests()).hasSize(3);
    }
  }

  @Test
  void get_clockMovesAgain_isCorrectedByBoth() throws Exception {
    AtomicReference<Duration> skew = new AtomicReference<>(Duration.ofHours(1));
    try (SignedServer server = SignedServer.replying(OK)) {
      CountersignClient client = moving(skew, server).build();
      client.get("/a", JsonNode.class);
      skew.set(Duration.ofHours(-2));
      client.get("/a", JsonNode.class);
      client.get("/a", JsonNode.class);

      assertThat(server.requests()).hasSize(5);
    }
  }

  private static CountersignClient.Builder moving(
      AtomicReference<Duration> skew, SignedServer server) {
    return new RecordedWaits()
        .client(server.uri())
        .withClock(new TickingClock(() -> Instant.now().plus(skew.get())))
        .allowClockCorrection();
  }

  /**
   * A request that was refused for its time was not performed: one repetition is safe, but no more.
   */
  @Test
  void post_oneAttempt_isSentOnceMoreByTheRightClock() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(503))) {
      CountersignClient client =
          wrongBy(Duration.ofHours(1), server)
              .withRetries(RetryPolicy.none())
              .allowClockCorrection()
              .build();

      assertThat(refusal(client).attempts()).isEqualTo(2);
      assertThat(server.requests()).hasSize(2);
    }
  }

  @Test
  void get_refusedForItsTimeAtTheLastAttempt_isNotSentAgain() throws Exception {
    AtomicReference<Duration> skew = new AtomicReference<>(Duration.ZERO);
    try (SignedServer server =
        SignedServer.replying(
            request -> {
              skew.set(Duration.ofHours(1));
              return Reply.status(503);
            })) {
      CountersignClient client =
          moving(skew, server).withRetries(RetryPolicy.standard().withAttempts(2)).build();

      assertThat(refusal(client).reason()).isEqualTo("created_in_future");
      assertThat(server.requests()).hasSize(2);
    }
  }

  @Test
  void get_refusedForAnotherReason_hasNoSkew() throws Exception {
    try (SignedServer server =
        SignedServer.byClock(
            Clock.offset(Clock.systemUTC(), Duration.ofHours(-1)),
            request -> Reply.problem(401, "\"reason\": \"client_unknown\""))) {
      CountersignException thrown = refusal(wrongBy(Duration.ofHours(-1), server).build());

      assertThat(thrown.reason()).isEqualTo("client_unknown");
      assertThat(thrown.clockSkew()).isEmpty();
    }
  }

  @Test
  void get_refusedForItsTimeByARightClock_hasNoSkew() throws IOException {
    Reply tooOld = Reply.problem(401, "\"reason\": \"created_too_old\", \"detail\": \"no\"");
    try (RawAnswer server =
        RawAnswer.closed(
            "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/problem+json\r\n"
                + "Content-Length: "
                + tooOld.body().length
                + "\r\n\r\n"
                + new String(tooOld.body(), java.nio.charset.StandardCharsets.UTF_8))) {
      CountersignException thrown = refusal(new RecordedWaits().client(server.uri()).build());

      assertThat(thrown.reason()).isEqualTo("created_too_old");
      assertThat(thrown.clockSkew()).as("without a Date there is nothing to tell").isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-423, this machine's clock is 7 min 3 s behind the server's",
    "3600, this machine's clock is 1 h ahead of the server's",
    "90061, this machine's clock is 1 d 1 h 1 min 1 s ahead of the server's"
  })
  void describe_skew_saysItForPeople(long seconds, String expected) {
    assertThat(ClockSkew.describe(Duration.ofSeconds(seconds))).isEqualTo(expected);
  }
}
