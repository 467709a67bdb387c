package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.client.answers.AnswerTooLargeException;
import dev.countersign.client.answers.Exchange;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The limits on the size of a response and on the time to wait for it. */
class AnswerLimitTest {
  private final RecordedWaits waits = new RecordedWaits();

  private static CountersignException refusal(CountersignClient client) {
    return catchThrowableOfType(CountersignException.class, () -> client.get("/a", JsonNode.class));
  }

  private static HttpRequest request(RawAnswer server) {
    return HttpRequest.newBuilder(server.uri()).build();
  }

  @Test
  void get_answerOfTheMaximum_isTaken() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json("\"12345678\""))) {
      CountersignClient client = waits.client(server.uri()).withMaximumAnswer(10).build();

      assertThat(client.get("/a", String.class)).isEqualTo("12345678");
    }
  }

  @Test
  void get_answerBeyondTheMaximum_isGivenUpAndNotAskedForAgain() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json("\"123456789\""))) {
      CountersignException thrown =
          refusal(waits.client(server.uri()).withMaximumAnswer(10).build());

      assertThat(thrown.reason()).isEqualTo("answer_too_large");
      assertThat(thrown)
          .hasMessage(
              "answer_too_large: GET "
                  + server.uri("/a")
                  + ": the response (status 200) has more than the allowed 10 bytes");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void get_problemBeyondAMebibyte_isGivenUp() throws Exception {
    String detail = "x".repeat((int) Exchange.MAX_PROBLEM_SIZE);
    try (SignedServer server =
        SignedServer.replying(Reply.problem(400, "\"detail\": \"" + detail + "\""))) {
      assertThat(refusal(waits.client(server.uri()).build()).reason())
          .isEqualTo("answer_too_large");
    }
  }

  /** The client gives up at once: waiting for the end would be a timeout. */
  @Test
  void send_endlessAnswer_endsAtTheMaximum() throws Exception {
    String endless = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";
    try (RawAnswer server = RawAnswer.leftOpen(endless)) {
      Exchange exchange = new Exchange(HttpClient.newHttpClient(), 2);

      assertThatExceptionOfType(AnswerTooLargeException.class)
          .isThrownBy(() -> exchange.send(request(server), Duration.ofSeconds(60)));
    }
  }

  @Test
  void send_bodyThatStalls_endsInTime() throws Exception {
    String stalled = "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{";
    try (RawAnswer server = RawAnswer.leftOpen(stalled)) {
      Exchange exchange = new Exchange(HttpClient.newHttpClient(), 1000);

      assertThatExceptionOfType(HttpTimeoutException.class)
          .isThrownBy(() -> exchange.send(request(server), Duration.ofMillis(500)));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void send_timeThatIsUp_sendsNothing(long nanos) {
    PendingClient http = new PendingClient();
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:1/")).build();

    assertThatExceptionOfType(HttpTimeoutException.class)
        .isThrownBy(() -> new Exchange(http, 1000).send(request, Duration.ofNanos(nanos)));
    assertThat(http.sent()).isZero();
  }

  /** Signing alone takes longer. */
  @Test
  void get_timeThatIsUpOnceTheRequestIsSigned_sendsNothing() {
    PendingClient http = new PendingClient();

    CountersignException thrown =
        refusal(
            waits
                .client(URI.create("http://localhost:1"))
                .withHttpClient(http)
                .withTimeout(Duration.ofNanos(1))
                .build());

    assertThat(thrown.reason()).isEqualTo("timeout");
    assertThat(thrown.attempts()).isEqualTo(4);
    assertThat(http.sent()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Integer.MAX_VALUE})
  void builder_maximumOutOfRange_isRefused(long bytes) {
    CountersignClient.Builder builder = waits.client(URI.create("http://a"));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.withMaximumAnswer(bytes))
        .withMessageEndingWith("was " + bytes);
  }

  /** Each redirect alone would be in time. */
  @Test
  void get_redirectsThatTakeLongTogether_timeOut() throws Exception {
    try (SignedServer server =
        SignedServer.replying(
            request -> {
              pause(Duration.ofMillis(400));
              int place = Integer.parseInt(request.path().substring(2));
              return place < 5 ? Reply.redirect(307, "/a" + (place + 1)) : Reply.json("1");
            })) {
      CountersignClient client =
          waits
              .client(server.uri())
              .withTimeout(Duration.ofSeconds(1))
              .withRetries(RetryPolicy.none())
              .build();

      CountersignException thrown =
          catchThrowableOfType(CountersignException.class, () -> client.get("/a1", JsonNode.class));

      assertThat(thrown.reason()).isEqualTo("timeout");
      assertThat(thrown).hasMessageContaining("no complete response within 1000 ms");
    }
  }

  private static void pause(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void get_connectionThatIsNotMade_isNoTimeout() {
    HttpClient unconnected =
        new PendingClient() {
          @Override
          public <T> CompletableFuture<HttpResponse<T>> sendAsync(
              HttpRequest request, BodyHandler<T> handler) {
            return CompletableFuture.failedFuture(
                new HttpConnectTimeoutException("HTTP connect timed out"));
          }
        };

    CountersignException thrown =
        refusal(waits.client(URI.create("http://a")).withHttpClient(unconnected).build());

    assertThat(thrown.reason()).isEqualTo("connection_failed");
    assertThat(thrown)
        .hasMessage("connection_failed: GET http://a/a: the connection timed out (4 attempts)");
  }
}
