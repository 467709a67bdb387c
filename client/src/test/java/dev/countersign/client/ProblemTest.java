package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemTest {

  private static HttpResponse<byte[]> response(Reply reply) throws Exception {
    try (SignedServer server = SignedServer.replying(reply)) {
      return new RecordedWaits()
          .client(server.uri())
          .withRetries(RetryPolicy.none())
          .build()
          .send(HttpRequest.newBuilder(server.uri("/a")).build());
    }
  }

  @Test
  void read_document_hasAllMembers() throws Exception {
    Reply reply =
        Reply.problem(
            401,
            """
            "type": "x", "title": "Wrong", "detail": "cover date", "reason": "components_wrong",
            "check": "profile", "requestId": "r-1", "expected": "a b", "received": ["a", 1, "c"], "more": [1]
            """);

    Problem problem = Problem.read(response(reply)).orElseThrow();

    assertThat(problem.status()).isEqualTo(401);
    assertThat(problem.title()).isEqualTo("Wrong");
    assertThat(problem.detail()).isEqualTo("cover date");
    assertThat(problem.reason()).isEqualTo("components_wrong");
    assertThat(problem.check()).hasValue("profile");
    assertThat(problem.requestId()).hasValue("r-1");
    assertThat(problem.signatureBase()).isEmpty();
    assertThat(problem.expected()).containsExactly("a b");
    assertThat(problem.received()).containsExactly("a", "c");
    assertThat(problem.document().path("more").path(0).asInt()).isEqualTo(1);
  }

  /** RFC 9457 section 3.1: members of another type are ignored; all of them may be absent. */
  @Test
  void read_membersAbsentOrOfAnotherType_areEmpty() throws Exception {
    Reply reply =
        Reply.problem(403, "\"title\": 1, \"reason\": null, \"expected\": {}, \"detail\": []")
            .with("X-Request-Id", "r-2")
            .with("Content-Type", "Application/Problem+JSON; charset=utf-8");

    Problem problem = Problem.read(response(reply)).orElseThrow();

    assertThat(problem.title()).isEmpty();
    assertThat(problem.detail()).isEmpty();
    assertThat(problem.reason()).isEqualTo("http_403");
    assertThat(problem.check()).isEmpty();
    assertThat(problem.requestId()).hasValue("r-2");
    assertThat(problem.expected()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "[]", "null", "\"x\""})
  void read_noObject_isNone(String body) throws Exception {
    Reply reply = Reply.json(body).with("Content-Type", "application/problem+json");

    assertThat(Problem.read(response(reply))).isEmpty();
  }

  @Test
  void read_otherMediaType_isNone() throws Exception {
    assertThat(Problem.read(response(Reply.json("{\"reason\": \"x\"}")))).isEmpty();
    assertThat(Problem.read(response(Reply.status(404)))).isEmpty();
  }

  /** No text of a service can move the cursor, break a line or start another one. */
  @Test
  void read_textThatCannotBeSeen_isBlanked() throws Exception {
    Reply reply =
        Reply.problem(
            400,
            "\"detail\": \"a\\u001b[2Jb\\u202ec\\r\\nd\\u2028e\\u0000\", \"signatureBase\":"
                + " \"x\\ny\\r\\u0007\"");

    Problem problem = Problem.read(response(reply)).orElseThrow();

    assertThat(problem.detail()).isEqualTo("a [2Jb c  d e ");
    assertThat(problem.signatureBase()).hasValue("x\ny  ");
  }

  @Test
  void message_tooLong_isCut() throws Exception {
    HttpResponse<byte[]> response =
        response(Reply.problem(400, "\"detail\": \"" + "x".repeat(100_000) + "\""));

    CountersignException refused = CountersignException.refused(response.request(), response);

    assertThat(refused.getMessage().length()).isLessThan(5_000);
    assertThat(refused).hasMessageEndingWith(" (status 400)");
  }
}
