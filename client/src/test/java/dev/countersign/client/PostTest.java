package dev.countersign.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;

/** Writes, which must not be performed twice. */
class PostTest {
  private static final Reply REFUSED = Reply.problem(422, "\"reason\": \"body_invalid\"");

  private static CountersignClient client(SignedServer server) {
    return new RecordedWaits().client(server.uri()).build();
  }

  private static CountersignException refusal(Runnable call) {
    return catchThrowableOfType(CountersignException.class, call::run);
  }

  private static String keyOf(SignedServer server) {
    return server.requests().get(0).header("idempotency-key");
  }

  @Test
  void post_ownKey_isSentUnderIt() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json("[1]"))) {
      client(server).post("/a", 1, JsonNode.class, "k-1");
      List<Integer> read =
          client(server).post("/a", 1, new TypeReference<List<Integer>>() {}, "k-2");

      assertThat(read).containsExactly(1);
      assertThat(server.requests())
          .extracting(request -> request.header("idempotency-key"))
          .containsExactly("k-1", "k-2");
    }
  }

  @Test
  void post_ofGenericType_readsIt() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json("[1]"))) {
      assertThat(client(server).post("/a", 1, new TypeReference<List<Integer>>() {}))
          .containsExactly(1);
    }
  }

  @Test
  void post_refused_carriesItsKey() throws Exception {
    try (SignedServer server = SignedServer.replying(REFUSED)) {
      CountersignException thrown = refusal(() -> client(server).post("/a", 1));

      assertThat(thrown.reason()).isEqualTo("body_invalid");
      assertThat(thrown.idempotencyKey()).hasValue(keyOf(server));
    }
  }

  @Test
  void post_unanswered_carriesItsKey() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.NONE)) {
      CountersignException thrown = refusal(() -> client(server).post("/a", 1));

      assertThat(thrown.reason()).isEqualTo("connection_failed");
      assertThat(thrown.idempotencyKey()).hasValue(keyOf(server));
    }
  }

  /** The failed request is then a GET, which has no key; the write was the POST. */
  @Test
  void post_doneAndThenRefusedElsewhere_carriesItsKey() throws Exception {
    try (SignedServer server =
        SignedServer.replying(
            request ->
                request.path().equals("/a") ? Reply.redirect(303, "/b") : Reply.status(404))) {
      CountersignException thrown = refusal(() -> client(server).post("/a", 1));

      assertThat(thrown.status()).hasValue(404);
      assertThat(thrown.idempotencyKey()).hasValue(keyOf(server));
    }
  }

  @Test
  void get_refused_hasNoKey() throws Exception {
    try (SignedServer server = SignedServer.replying(REFUSED)) {
      assertThat(refusal(() -> client(server).get("/a", JsonNode.class)).idempotencyKey())
          .isEmpty();
    }
  }

  @Test
  void post_untyped_takesAnyAnswer() throws Exception {
    try (SignedServer server =
        SignedServer.replying(Reply.status(201), Reply.status(204), Reply.json("<html>"))) {
      for (int i = 0; i < 3; i++) {
        client(server).post("/a", Map.of("i", i));
      }

      assertThat(server.requests())
          .extracting(request -> new String(request.body(), UTF_8))
          .containsExactly("{\"i\":0}", "{\"i\":1}", "{\"i\":2}");
    }
  }

  @Test
  void post_void_takesAnyAnswer() throws Exception {
    try (SignedServer server =
        SignedServer.replying(Reply.status(201), Reply.json("{\"id\": 1}"))) {
      assertThat(client(server).post("/a", 1, Void.class)).isNull();
      assertThat(client(server).post("/a", 1, Void.class)).isNull();
      assertThat(server.requests()).hasSize(2);
    }
  }

  /** A bean that has a value only sometimes. */
  static final class Broken {
    public String getName() {
      throw new IllegalStateException("no name yet");
    }
  }

  @Test
  void post_beanThatCannotBeWritten_isUnreadable() {
    CountersignClient client = new RecordedWaits().client(URI.create("http://localhost:1")).build();

    CountersignException thrown = refusal(() -> client.post("/a", new Broken()));

    assertThat(thrown.reason()).isEqualTo("body_unreadable");
    assertThat(thrown)
        .hasMessageStartingWith(
            "body_unreadable: POST http://localhost:1/a: the body cannot be written as JSON: ")
        .hasMessageContaining("no name yet");
    assertThat(thrown.attempts()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "31, 31",
    "2147483647, 2147483647",
    "9999999999, 2147483648",
    "99999999999999999999, 2147483648"
  })
  void post_limited_saysWhenToComeBack(String retryAfter, long seconds) throws Exception {
    Reply busy = Reply.status(429).with("Retry-After", retryAfter);
    try (SignedServer server = SignedServer.replying(busy)) {
      assertThat(refusal(() -> client(server).post("/a", 1)).retryAfter())
          .hasValue(Duration.ofSeconds(seconds));
    }
  }

  /** The last two forms are obsolete (RFC 9110 section 5.6.7). */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Tue, 05 Mar 2024 08:08:09 GMT",
        "Tuesday, 05-Mar-24 08:08:09 GMT",
        "Tue Mar  5 08:08:09 2024"
      })
  void get_unavailableUntilADate_saysForHowLong(String date) throws Exception {
    String down =
        "HTTP/1.1 503 Down\r\nContent-Length: 0\r\n"
            + "Date: Tue, 05 Mar 2024 07:08:09 GMT\r\n"
            + "Retry-After: "
            + date
            + "\r\n\r\n";
    try (RawAnswer server = RawAnswer.closed(down)) {
      CountersignClient client = new RecordedWaits().client(server.uri()).build();

      CountersignException thrown = refusal(() -> client.get("/a", JsonNode.class));

      assertThat(thrown.retryAfter()).hasValue(Duration.ofHours(1));
      assertThat(thrown.attempts()).isEqualTo(1);
    }
  }

  @Test
  void get_refusedForGood_saysNothingOfLater() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.status(404))) {
      assertThat(refusal(() -> client(server).get("/a", JsonNode.class)).retryAfter()).isEmpty();
    }
  }
}
