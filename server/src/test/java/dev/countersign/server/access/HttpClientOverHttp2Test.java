package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.TestCertificate;
import dev.countersign.server.TestService;
import dev.countersign.server.access.HeldRequests.Held;
import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.httpclient.HttpClientRequest;
import dev.countersign.signatures.httpclient.HttpRequestSigner;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.testing.Waits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HttpClient sends over HTTP/2 exactly what its adapter shows; another library receives it. */
class HttpClientOverHttp2Test {
  private static final HeldRequests REQUESTS = new HeldRequests();
  private static HttpClient client;
  private static TestService service;
  private static HttpRequestSigner signer;

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    TestCertificate certificate = TestCertificate.make(data.resolve("tls"));
    List<String> settings = new ArrayList<>(certificate.settings());
    settings.add("server.http2.enabled=true");
    service = TestService.start(data.resolve("data"), 0, settings.toArray(String[]::new));
    client = HttpClient.newBuilder().sslContext(certificate.trusting()).build();
    signer = new HttpRequestSigner(service.register().signer(), CryptoProvider.jdk());
    REQUESTS.addTo(service);
  }

  @AfterAll
  static void stop() {
    client.close();
    service.close();
  }

  private static RequestMessage received(HttpRequest request) throws Exception {
    CompletableFuture<HttpResponse<Void>> response =
        client.sendAsync(request, BodyHandlers.discarding());
    Held held = Waits.forElement(REQUESTS.held());
    try {
      RequestMessage live = held.message();
      return new Seen(
          live.method(), live.targetUri(), live.bodyFraming(), live.fieldLines("x-many"));
    } finally {
      held.released().countDown();
      assertThat(Waits.forResult(response).version()).isEqualTo(HttpClient.Version.HTTP_2);
    }
  }

  /** The asserted parts of a request, which no longer exists after the response. */
  private record Seen(String method, String targetUri, BodyFraming bodyFraming, List<String> many)
      implements RequestMessage {
    @Override
    public List<String> fieldLines(String lowerCaseName) {
      throw new UnsupportedOperationException();
    }
  }

  private static HttpRequest.Builder to(String target) {
    return HttpRequest.newBuilder(URI.create(service.url() + target));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?a",
        "/a?b=c,d&e=%2F%2f+&",
        "//a//b;c/./d",
        "/\u00e9/e\u0301?\u20ac#fragment",
      })
  void targetUri_overHttp2_isAsShown(String target) throws Exception {
    HttpRequest request = to(target).header("X-Many", "1").header("X-Many", "2").build();
    RequestMessage shown = HttpClientRequest.of(request);

    assertThat(received(request))
        .isEqualTo(
            new Seen("GET", shown.targetUri(), shown.bodyFraming(), shown.fieldLines("x-many")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/?", "/a?", "/a?#fragment"})
  void targetUri_signedOverHttp2_isAsSigned(String target) throws Exception {
    HttpRequest signed = signer.sign(to(target).build(), Instant.now());

    assertThat(received(signed).targetUri())
        .isEqualTo(HttpClientRequest.of(signed).targetUri())
        .doesNotContain("?");
  }

  /** The reason why the adapter refuses it: HTTP/1.1 omits the question mark. */
  @Test
  void questionMark_unsignedOverHttp2_isSent() throws Exception {
    assertThat(received(to("/a?").build()).targetUri()).isEqualTo(service.url() + "/a?");
  }

  @Test
  void body_overHttp2_isAsShown() throws Exception {
    HttpRequest request = to("/a").POST(BodyPublishers.ofString("abc")).build();

    assertThat(received(request).bodyFraming())
        .isEqualTo(HttpClientRequest.of(request).bodyFraming());
  }
}
