package dev.countersign.signatures.httpclient;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.signatures.VerifiedSignature;
import dev.countersign.signatures.contract.NaiveRequest;
import dev.countersign.signatures.contract.WireMessage;
import dev.countersign.testing.Waits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.SubmissionPublisher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signed requests verify from the bytes on the wire, parsed without any library. */
class HttpRequestSignerTest {

  /** Signs and sends a request, and verifies it as received. */
  private static WireMessage verified(HttpRequest request, RawServer server, String... covered)
      throws Exception {
    HttpRequest signed = SignedHttp.SIGNER.sign(request, SignedHttp.NOW);
    HttpClients.PLAIN.send(signed, BodyHandlers.discarding());
    WireMessage wire = server.request();
    VerifiedSignature signature =
        SignedHttp.VERIFIER.verify(
            new NaiveRequest("http", wire), wire.content().getBytes(ISO_8859_1));
    assertThat(signature.components()).extracting(c -> c.name()).containsExactly(covered);
    return wire;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "?", "/a?", "/a?page=0&sort=name,asc", "/\u00e9?\u20ac#f", "//a/../%2f"})
  void sign_get_verifiesFromTheWire(String target) throws Exception {
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpRequest request = HttpClients.request(server.url() + target).header("X-A", "1").build();

      WireMessage wire = verified(request, server, "@method", "@target-uri", "date");

      assertThat(wire.values("date")).containsExactly("Tue, 05 Mar 2024 07:08:09 GMT");
      assertThat(wire.values("x-a")).containsExactly("1");
      assertThat(wire.values("content-digest")).isEmpty();
    }
  }

  private static HttpRequest.Builder to(RawServer server) {
    return HttpClients.request(server.url() + "/a").header("Idempotency-Key", "1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "GET"})
  void sign_body_verifiesFromTheWire(String method) throws Exception {
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpRequest request = to(server).method(method, BodyPublishers.ofString("caf\u00e9")).build();

      WireMessage wire =
          verified(
              request,
              server,
              "@method",
              "@target-uri",
              "content-digest",
              "date",
              "idempotency-key");

      assertThat(wire.body().getBytes(ISO_8859_1)).isEqualTo("caf\u00e9".getBytes(UTF_8));
    }
  }

  @Test
  void sign_bodyThatCanBeReadOnce_isSentAsDigested() throws Exception {
    InputStream once = new ByteArrayInputStream("abc".repeat(100_000).getBytes(UTF_8));
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpRequest request = HttpClients.request(server.url()).POST(stream(once)).build();

      WireMessage wire =
          verified(request, server, "@method", "@target-uri", "content-digest", "date");

      assertThat(wire.values("content-length")).containsExactly("300000");
      assertThat(wire.content()).isEqualTo("abc".repeat(100_000));
    }
  }

  private static BodyPublisher stream(InputStream in) {
    return BodyPublishers.ofInputStream(() -> in);
  }

  @Test
  void sign_streamWithoutBytes_isNoBody() throws Exception {
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpRequest request =
          HttpClients.request(server.url()).POST(stream(InputStream.nullInputStream())).build();

      WireMessage wire = verified(request, server, "@method", "@target-uri", "date");

      assertThat(wire.values("content-length")).containsExactly("0");
      assertThat(wire.isChunked()).isFalse();
    }
  }

  @Test
  void sign_publisherOfAnotherThread_isWaitedFor() throws Exception {
    SubmissionPublisher<ByteBuffer> parts = new SubmissionPublisher<>();
    Thread later =
        new Thread(
            () -> {
              while (!parts.hasSubscribers()) {
                Thread.onSpinWait();
              }
              parts.submit(ByteBuffer.wrap("ab".getBytes(UTF_8)));
              parts.submit(ByteBuffer.wrap("cd".getBytes(UTF_8)));
              parts.close();
            });
    later.start();
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpRequest request =
          HttpClients.request(server.url()).POST(BodyPublishers.fromPublisher(parts)).build();

      WireMessage wire =
          verified(request, server, "@method", "@target-uri", "content-digest", "date");

      assertThat(wire.content()).isEqualTo("abcd");
    }
    Waits.forEnd(later);
  }

  /** The digest is sha-256 of {"hello": "world"}, from RFC 9530 appendix A. */
  @Test
  void sign_digestThere_leavesTheBodyToTheClient() throws Exception {
    String digest = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:";
    byte[] body = "{\"hello\": \"world\"}".getBytes(UTF_8);
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpRequest request =
          HttpClients.request(server.url())
              .header("Content-Digest", digest)
              .POST(stream(new ByteArrayInputStream(body)))
              .build();

      WireMessage wire =
          verified(request, server, "@method", "@target-uri", "content-digest", "date");

      assertThat(wire.isChunked()).isTrue();
      assertThat(wire.values("content-digest")).containsExactly(digest);
    }
  }

  @Test
  void sign_dateThere_isSignedAsItStands() {
    String date = "Tue, 5 Mar 2024 07:08:09 GMT";
    HttpRequest request = HttpClients.request("http://a.example/").header("Date", date).build();

    HttpRequest signed = SignedHttp.SIGNER.sign(request, SignedHttp.NOW);

    assertThat(signed.headers().allValues("date")).containsExactly(date);
  }

  @Test
  void sign_allElse_isCopied() {
    HttpRequest request =
        HttpClients.request("http://a.example/")
            .header("X-A", "1")
            .header("x-a", "2")
            .expectContinue(true)
            .version(HttpClient.Version.HTTP_2)
            .build();

    HttpRequest signed = SignedHttp.SIGNER.sign(request, SignedHttp.NOW);

    assertThat(signed.headers().allValues("x-a")).containsExactly("1", "2");
    assertThat(signed.expectContinue()).isTrue();
    assertThat(signed.version()).isEqualTo(request.version());
    assertThat(signed.timeout()).isEqualTo(request.timeout());
    assertThat(request.headers().firstValue("signature")).isEmpty();
  }

  @Test
  void sign_besideAnother_verifiesAndTheOtherStays() throws Exception {
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpRequest request =
          HttpClients.request(server.url())
              .header("Signature-Input", "other=()")
              .header("Signature", "other=:AQ==:")
              .build();

      WireMessage wire = verified(request, server, "@method", "@target-uri", "date");

      assertThat(wire.values("signature-input")).hasSize(2).first().isEqualTo("other=()");
      assertThat(wire.values("signature")).hasSize(2).first().isEqualTo("other=:AQ==:");
    }
  }

  @Test
  void sign_twiceWithOneLabel_isRefused() {
    HttpRequest signed =
        SignedHttp.SIGNER.sign(HttpClients.request("http://a.example/").build(), SignedHttp.NOW);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> SignedHttp.SIGNER.sign(signed, SignedHttp.NOW))
        .withMessageContaining("already has a signature labelled sig");
  }

  @Test
  void sign_bodyThatFails_isRefusedWithTheReason() {
    IOException reason = new IOException("disk on fire");
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw reason;
          }
        };
    HttpRequest request = HttpClients.request("http://a.example/").POST(stream(broken)).build();

    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> SignedHttp.SIGNER.sign(request, SignedHttp.NOW))
        .withRootCauseInstanceOf(IOException.class);
  }

  /** Requests that HttpClient would send differently than set, or in two ways. */
  @Test
  void sign_fieldThatIsSentOtherwise_isRefused() {
    HttpRequest request =
        HttpClients.request("http://a.example/").header("Idempotency-Key", "caf\u00e9").build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> SignedHttp.SIGNER.sign(request, SignedHttp.NOW))
        .withMessageContaining("idempotency-key has characters other than ASCII");
  }

  @Test
  void fieldLines_ofWhatTheClientAdds_areNone() {
    HttpClientRequest request =
        HttpClientRequest.of(
            HttpClients.request("http://a.example/").POST(BodyPublishers.ofString("a")).build());

    for (String name : List.of("host", "content-length", "user-agent", "connection", "cookie")) {
      assertThat(request.fieldLines(name)).as(name).isEmpty();
    }
  }

  @Test
  void fieldLines_cookieOnTwoLines_isRefused() {
    HttpRequest.Builder request = HttpClients.request("http://a.example/").header("Cookie", "a=1");
    assertThat(HttpClientRequest.of(request.build()).fieldLines("cookie")).containsExactly("a=1");

    HttpRequest two = request.header("Cookie", "b=2").build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpClientRequest.of(two).fieldLines("cookie"))
        .withMessageContaining("set it once");
  }

  @Test
  void targetUri_hostSetByHand_isRefusedWhereItLeadsElsewhere() {
    HttpRequest request = HttpClients.request("http://a.example:8080/b").build();

    assertThat(HttpClientRequest.of(new WithHost(request, "a.example:8080")).targetUri())
        .isEqualTo("http://a.example:8080/b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpClientRequest.of(new WithHost(request, "a.example")).targetUri())
        .withMessageContaining("Host");
  }
}
