package dev.countersign.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.testing.Waits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * A body that its publisher can publish only once: each request contains all of it, or is not sent.
 */
class OneShotBodyTest {
  private static final Reply OK = Reply.json("{}");

  private final RecordedWaits waits = new RecordedWaits();

  /** The same stream, however often it is requested. */
  private static BodyPublisher oneShot(int length) {
    InputStream stream = new ByteArrayInputStream("b".repeat(length).getBytes(UTF_8));
    Supplier<InputStream> same = () -> stream;
    return BodyPublishers.ofInputStream(same);
  }

  private static BodyPublisher oneShotSaying(long says, int length) {
    return BodyPublishers.fromPublisher(oneShot(length), says);
  }

  private static Reply moved(ServedRequest request) {
    return request.path().equals("/a") ? Reply.redirect(307, "/b") : OK;
  }

  private static void assertWholeBodies(SignedServer server, int count) {
    assertThat(server.requests()).hasSize(count);
    assertThat(server.requests()).allMatch(r -> new String(r.body(), UTF_8).equals("bbb"));
  }

  @Test
  void post_busyService_getsTheBodyAgain() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(503), OK)) {
      waits.client(server.uri()).build().post("/a", oneShot(3), JsonNode.class);

      assertWholeBodies(server, 2);
    }
  }

  @Test
  void post_ofKnownLength_isSentAgain() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(503), OK)) {
      waits.client(server.uri()).build().post("/a", oneShotSaying(3, 3), JsonNode.class);

      assertWholeBodies(server, 2);
    }
  }

  @Test
  void post_redirected_takesTheBodyAlong() throws Exception {
    try (SignedServer server = SignedServer.replying(OneShotBodyTest::moved)) {
      waits.client(server.uri()).build().post("/a", oneShot(3), JsonNode.class);

      assertWholeBodies(server, 2);
    }
  }

  @Test
  void post_byAWrongClock_isSentAgainWhole() throws Exception {
    Clock late = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(30));
    try (SignedServer server = SignedServer.replying(OK)) {
      waits
          .client(server.uri())
          .withClock(late)
          .allowClockCorrection()
          .build()
          .post("/a", oneShot(3), JsonNode.class);

      assertWholeBodies(server, 2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void signingClient_redirected_takesTheBodyAlong(boolean later) throws Exception {
    RequestSigner signer = RequestSigner.of(TestKey.CLIENT_ID, TestKey.SOURCE);
    HttpClient client = SigningHttpClient.of(HttpClient.newHttpClient(), signer);
    try (SignedServer server = SignedServer.replying(OneShotBodyTest::moved)) {
      HttpRequest request = HttpRequest.newBuilder(server.uri("/a")).POST(oneShot(3)).build();

      if (later) {
        Waits.forResult(client.sendAsync(request, BodyHandlers.discarding()));
      } else {
        client.send(request, BodyHandlers.discarding());
      }

      assertWholeBodies(server, 2);
    }
  }

  /**
   * A body too large to be held: after the digest, its bytes are no longer available for sending.
   */
  @Test
  void post_largeOfKnownLength_isRefusedAndNotRepeated() throws Exception {
    try (SignedServer server = SignedServer.replying(OK)) {
      CountersignException thrown = refusal(server, oneShotSaying(100_000, 100_000));

      assertThat(thrown.reason()).isEqualTo("body_unreadable");
      assertThat(thrown.attempts()).isEqualTo(1);
      assertThat(thrown).hasMessageContaining("publish the same bytes to every subscriber");
      assertThat(waits.all()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 4, 100_000})
  void post_ofAnotherLengthThanItSays_isNotSent(long says) throws Exception {
    try (SignedServer server = SignedServer.replying(OK)) {
      CountersignException thrown = refusal(server, oneShotSaying(says, 3));

      assertThat(thrown.reason()).isEqualTo("body_unreadable");
      assertThat(thrown).hasStackTraceContaining("it has 3 bytes, but declares " + says);
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void signingClient_bodyOfAnotherLength_isAnIoException() throws Exception {
    RequestSigner signer = RequestSigner.of(TestKey.CLIENT_ID, TestKey.SOURCE);
    HttpClient client = SigningHttpClient.of(HttpClient.newHttpClient(), signer);
    try (SignedServer server = SignedServer.replying(OK)) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri("/a")).POST(oneShotSaying(4, 3)).build();

      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> client.send(request, BodyHandlers.discarding()))
          .withStackTraceContaining("it has 3 bytes, but declares 4");
      assertThat(server.requests()).isEmpty();
    }
  }

  private CountersignException refusal(SignedServer server, BodyPublisher body) {
    CountersignClient client = waits.client(server.uri()).build();
    return catchThrowableOfType(
        CountersignException.class, () -> client.post("/a", body, JsonNode.class));
  }
}
