package dev.countersign.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.client.keys.KeyException;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Code that accepts an HttpClient gets signed requests without knowing it. */
class SigningHttpClientTest {
  private static final RequestSigner SIGNER = RequestSigner.of(TestKey.CLIENT_ID, TestKey.SOURCE);

  private static final boolean CLOSABLE = Runtime.version().feature() >= 21;

  private static HttpClient client() {
    return SigningHttpClient.of(HttpClient.newHttpClient(), SIGNER);
  }

  /** The two ways of sending. */
  private static HttpResponse<String> send(boolean later, HttpRequest request) throws Exception {
    return send(client(), later, request);
  }

  private static HttpResponse<String> send(HttpClient client, boolean later, HttpRequest request)
      throws Exception {
    return later
        ? Waits.forResult(client.sendAsync(request, BodyHandlers.ofString()))
        : client.send(request, BodyHandlers.ofString());
  }

  private static Reply routed(ServedRequest request) {
    return switch (request.path()) {
      case "/there" -> Reply.json(request.method() + new String(request.body(), UTF_8));
      case "/loop" -> Reply.redirect(302, "/loop");
      default ->
          Reply.redirect(Integer.parseInt(request.path().substring(1)), "/there?page=1&size=2");
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void send_request_isSigned(boolean later) throws Exception {
    try (SignedServer server = SignedServer.replying(SigningHttpClientTest::routed)) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri("/there")).POST(BodyPublishers.ofString("b")).build();

      assertThat(send(later, request).body()).isEqualTo("POSTb");
    }
  }

  /** RFC 9110 sections 15.4.2 to 15.4.9. */
  @ParameterizedTest
  @CsvSource({
    "301, GET, GET", "302, GET, GET", "303, GET, GET", "307, GET, GET", "308, GET, GET",
    "301, POST, GET", "302, POST, GET", "303, POST, GET", "307, POST, POSTb", "308, POST, POSTb",
    "301, PUT, PUTb", "302, PUT, PUTb", "303, PUT, GET", "307, PUT, PUTb", "308, PUT, PUTb"
  })
  void send_redirectInsideTheOrigin_isSignedAnew(int status, String method, String expected)
      throws Exception {
    for (boolean later : new boolean[] {true, false}) {
      try (SignedServer server = SignedServer.replying(SigningHttpClientTest::routed)) {
        HttpRequest request =
            HttpRequest.newBuilder(server.uri("/" + status))
                .header("Content-Type", "text/plain")
                .header("Idempotency-Key", "k")
                .method(
                    method,
                    method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("b"))
                .build();

        HttpResponse<String> response = send(later, request);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(expected);
        assertThat(server.requests()).hasSize(2);
        assertThat(server.requests().get(1).query()).isEqualTo("page=1&size=2");
        assertThat(server.requests().get(1).header("signature"))
            .isNotEqualTo(server.requests().get(0).header("signature"));
      }
    }
  }

  /** Otherwise an unread body holds its connection, and a file keeps the end of a previous body. */
  @ParameterizedTest
  @CsvSource({"true, /there, 200", "false, /there, 200", "true, //a/, 302", "false, //a/, 302"})
  void send_redirectWithABody_givesTheHandlerTheAnswerAlone(
      boolean later, String location, int status, @TempDir Path folder) throws Exception {
    Reply moved =
        new Reply(
            302, Map.of("Location", location), "302: has moved, a long time ago".getBytes(UTF_8));
    try (SignedServer server =
        SignedServer.replying(
            request -> request.path().equals("/there") ? Reply.json("200: it") : moved)) {
      Path file = folder.resolve("body");
      List<Integer> handled = new CopyOnWriteArrayList<>();
      HttpResponse.BodyHandler<Path> handler =
          answer -> {
            handled.add(answer.statusCode());
            return BodyHandlers.ofFile(file).apply(answer);
          };
      HttpRequest request = HttpRequest.newBuilder(server.uri("/a")).build();

      HttpResponse<Path> response =
          later
              ? Waits.forResult(client().sendAsync(request, handler))
              : client().send(request, handler);

      assertThat(response.statusCode()).isEqualTo(status);
      assertThat(handled).containsExactly(status);
      assertThat(response.body())
          .hasContent(status == 200 ? "200: it" : new String(moved.body(), UTF_8));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void send_redirectToAnotherOrigin_isReturnedAndNotFollowed(boolean later) throws Exception {
    try (SignedServer other = SignedServer.replying(Reply.json("{}"));
        SignedServer server =
            SignedServer.replying(Reply.redirect(307, other.uri("/").toString()))) {
      HttpRequest request = HttpRequest.newBuilder(server.uri("/a")).build();

      assertThat(send(later, request).statusCode()).isEqualTo(307);
      assertThat(other.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://localhost/",
        "http://127.0.0.1/",
        "//evil.example/",
        "ftp://a/",
        "::",
        ""
      })
  void send_redirectElsewhere_isReturned(String location) throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.redirect(302, location))) {
      HttpRequest request = HttpRequest.newBuilder(server.uri("/a")).build();

      assertThat(send(false, request).statusCode()).isEqualTo(302);
      assertThat(server.requests()).hasSizeBetween(1, 6);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void send_redirectsWithoutEnd_areGivenUp(boolean later) throws Exception {
    try (SignedServer server = SignedServer.replying(SigningHttpClientTest::routed)) {
      HttpRequest request = HttpRequest.newBuilder(server.uri("/loop")).build();

      assertThat(send(later, request).statusCode()).isEqualTo(302);
      assertThat(server.requests()).hasSize(6);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void send_bodyThatFails_isAnIoException(boolean later) throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json("{}"))) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri("/a"))
              .POST(BodyPublishers.ofInputStream(SigningHttpClientTest::broken))
              .build();

      Throwable thrown = catchThrowable(() -> send(later, request));

      assertThat(later ? thrown.getCause() : thrown)
          .isInstanceOf(IOException.class)
          .hasStackTraceContaining("disk on fire");
      assertThat(server.requests()).isEmpty();
    }
  }

  private static InputStream broken() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("disk on fire");
      }
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void send_keyThatCannotBeRead_isAnIoException(boolean later) throws Exception {
    RequestSigner keyless =
        RequestSigner.of(
            TestKey.CLIENT_ID,
            clientId -> {
              throw new UncheckedIOException("no key", new IOException("disk on fire"));
            });
    try (SignedServer server = SignedServer.replying(Reply.json("{}"))) {
      HttpClient signing = SigningHttpClient.of(HttpClient.newHttpClient(), keyless);
      HttpRequest request = HttpRequest.newBuilder(server.uri("/a")).build();

      Throwable thrown = catchThrowable(() -> send(signing, later, request));

      assertThat(later ? thrown.getCause() : thrown)
          .isInstanceOf(IOException.class)
          .hasMessage("no key")
          .hasRootCauseMessage("disk on fire");
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void sendAsync_withoutUsableKey_failsInTheFuture() {
    RequestSigner keyless =
        RequestSigner.of(
            "cl",
            clientId -> {
              throw new KeyException("no key");
            });
    CompletableFuture<HttpResponse<Void>> sent =
        SigningHttpClient.of(HttpClient.newHttpClient(), keyless)
            .sendAsync(
                HttpRequest.newBuilder(URI.create("http://localhost:1/")).build(),
                BodyHandlers.discarding());

    assertThat(sent)
        .failsWithin(Waits.LIMIT)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(KeyException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NORMAL", "ALWAYS"})
  void of_clientThatFollowsRedirects_isRefused(Redirect redirects) {
    HttpClient delegate = HttpClient.newBuilder().followRedirects(redirects).build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> SigningHttpClient.of(delegate, SIGNER))
        .withMessageContaining("must not follow redirects, was " + redirects);
  }

  @Test
  void of_signingClient_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> SigningHttpClient.of(client(), SIGNER));
  }

  @Test
  void newWebSocketBuilder_saysWhyNot() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> client().newWebSocketBuilder())
        .withMessageContaining("handshake");
  }

  @Test
  void settings_areThoseOfTheDelegate() {
    HttpClient delegate =
        HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(7))
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Runnable::run)
            .build();
    HttpClient signing = SigningHttpClient.of(delegate, SIGNER);

    assertThat(signing.connectTimeout()).isEqualTo(delegate.connectTimeout());
    assertThat(signing.version()).isEqualTo(delegate.version());
    assertThat(signing.executor()).isEqualTo(delegate.executor());
    assertThat(signing.proxy()).isEqualTo(delegate.proxy());
    assertThat(signing.cookieHandler()).isEqualTo(delegate.cookieHandler());
    assertThat(signing.authenticator()).isEqualTo(delegate.authenticator());
    assertThat(signing.sslContext()).isSameAs(delegate.sslContext());
    assertThat(signing.sslParameters().getProtocols())
        .isEqualTo(delegate.sslParameters().getProtocols());
    assertThat(signing.followRedirects()).isEqualTo(Redirect.NORMAL);
  }

  /** On Java 17 an HttpClient cannot be closed, and close does nothing. */
  @Test
  void close_endsTheDelegate() throws Exception {
    HttpClient delegate = HttpClient.newHttpClient();
    SigningHttpClient signing = SigningHttpClient.of(delegate, SIGNER);

    assertThat(signing.isTerminated()).isFalse();
    signing.shutdown();
    assertThat(signing.awaitTermination(Duration.ofMinutes(1))).isEqualTo(CLOSABLE);
    signing.shutdownNow();
    signing.close();
    assertThat(signing.isTerminated()).isEqualTo(CLOSABLE);
  }

  /** The service shuts the client down before it redirects. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shutdown_beforeARedirect_letsTheRequestComplete(boolean later) throws Exception {
    SigningHttpClient signing = SigningHttpClient.of(HttpClient.newHttpClient(), SIGNER);
    try (SignedServer server =
        SignedServer.replying(
            request -> {
              signing.shutdown();
              return routed(request);
            })) {
      HttpRequest request = HttpRequest.newBuilder(server.uri("/307")).build();

      assertThat(send(signing, later, request).body()).isEqualTo("GET");
      assertThat(server.requests()).hasSize(2);
      signing.close();
      assertThat(signing.isTerminated()).isEqualTo(CLOSABLE);
    }
  }

  @Test
  void shutdown_beforeTheRequestIsSigned_letsItComplete() throws Exception {
    CountDownLatch shutDown = new CountDownLatch(1);
    try (SignedServer server = SignedServer.replying(SigningHttpClientTest::routed)) {
      SigningHttpClient signing = SigningHttpClient.of(HttpClient.newHttpClient(), after(shutDown));
      CompletableFuture<HttpResponse<String>> sent =
          signing.sendAsync(
              HttpRequest.newBuilder(server.uri("/there")).build(), BodyHandlers.ofString());

      signing.shutdown();
      shutDown.countDown();

      assertThat(Waits.forResult(sent).body()).isEqualTo("GET");
      signing.close();
      assertThat(signing.isTerminated()).isEqualTo(CLOSABLE);
    }
  }

  @Test
  void shutdown_whileARequestIsInProgress_refusesNewRequests() throws Exception {
    assumeTrue(CLOSABLE, "on Java 17 an HttpClient cannot be shut down");
    CountDownLatch refused = new CountDownLatch(1);
    try (SignedServer server = SignedServer.replying(SigningHttpClientTest::routed)) {
      SigningHttpClient signing = SigningHttpClient.of(HttpClient.newHttpClient(), after(refused));
      HttpRequest request = HttpRequest.newBuilder(server.uri("/there")).build();
      CompletableFuture<HttpResponse<String>> first =
          signing.sendAsync(request, BodyHandlers.ofString());
      signing.shutdown();

      for (boolean later : new boolean[] {true, false}) {
        Throwable thrown = catchThrowable(() -> send(signing, later, request));
        assertThat(later ? thrown.getCause() : thrown)
            .isInstanceOf(IOException.class)
            .hasMessage("the client is shut down");
      }
      refused.countDown();

      assertThat(Waits.forResult(first).body()).isEqualTo("GET");
      assertThat(server.requests()).hasSize(1);
    }
  }

  /** Otherwise a stage that closes the client would wait for itself. */
  @Test
  void shutdown_inAStageOfTheLastRequest_isNotDelayed() throws Exception {
    assumeTrue(CLOSABLE, "on Java 17 an HttpClient cannot be shut down");
    AtomicInteger shutdowns = new AtomicInteger();
    PendingClient delegate =
        new PendingClient() {
          // Overrides a method that HttpClient has had since Java 21.
          public void shutdown() {
            shutdowns.incrementAndGet();
          }
        };
    SigningHttpClient signing = SigningHttpClient.of(delegate, SIGNER);
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:1/")).build();
    CompletableFuture<Integer> inTheStage =
        signing
            .sendAsync(request, BodyHandlers.discarding())
            .handle(
                (response, failure) -> {
                  signing.shutdown();
                  return shutdowns.get();
                });

    delegate.underWay().completeExceptionally(new IOException("the connection was lost"));

    assertThat(Waits.forResult(inTheStage)).isEqualTo(1);
  }

  @Test
  void close_afterTheLastRequest_closesTheClientThatSends() {
    assumeTrue(CLOSABLE, "on Java 17 an HttpClient cannot be closed");
    AtomicInteger closes = new AtomicInteger();
    PendingClient delegate =
        new PendingClient() {
          // Overrides a method that HttpClient has had since Java 21.
          public void close() {
            closes.incrementAndGet();
          }
        };
    SigningHttpClient signing = SigningHttpClient.of(delegate, SIGNER);
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:1/")).build();
    CompletableFuture<HttpResponse<Void>> answer =
        signing.sendAsync(request, BodyHandlers.discarding());
    delegate.underWay().completeExceptionally(new IOException("the connection was lost"));

    signing.close();

    assertThat(answer).isCompletedExceptionally();
    assertThat(closes).hasValue(1);
  }

  /** Returns a signer whose key is available once the latch is open. */
  private static RequestSigner after(CountDownLatch latch) {
    return RequestSigner.of(
        TestKey.CLIENT_ID,
        clientId -> {
          try {
            Waits.forLatch(latch);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return TestKey.SOURCE.signingKey(clientId);
        });
  }
}
