package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.countersign.client.keys.KeySource;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** However an exchange ends, its future ends too, and with it the requests in progress. */
class SignedExchangeTest {
  private static CompletableFuture<HttpResponse<Void>> send(
      HttpClient http, KeySource key, URI uri) {
    return send(http, key, HttpRequest.newBuilder(uri).build());
  }

  private static CompletableFuture<HttpResponse<Void>> send(
      HttpClient http, KeySource key, URI uri, Flow.Publisher<ByteBuffer> body) {
    HttpRequest request =
        HttpRequest.newBuilder(uri).POST(BodyPublishers.fromPublisher(body)).build();
    return send(http, key, request);
  }

  private static CompletableFuture<HttpResponse<Void>> send(
      HttpClient http, KeySource key, HttpRequest request) {
    return new SignedExchange<>(
            http, RequestSigner.of(TestKey.CLIENT_ID, key), BodyHandlers.discarding(), null)
        .send(request);
  }

  @Test
  void cancel_whileSending_cancelsWhatIsUnderWay() {
    PendingClient delegate = new PendingClient();
    CompletableFuture<HttpResponse<Void>> sent =
        send(delegate, TestKey.SOURCE, URI.create("http://localhost:1/"));

    assertThat(delegate.underWay()).isNotDone();
    assertThat(sent.cancel(true)).isTrue();

    assertThat(sent).isCancelled();
    assertThat(delegate.underWay()).isCancelled();
  }

  @Test
  void cancel_ofAStageThatDepends_cancelsWhatIsUnderWay() {
    PendingClient delegate = new PendingClient();
    CompletableFuture<HttpResponse<Void>> sent =
        send(delegate, TestKey.SOURCE, URI.create("http://localhost:1/"));
    CompletableFuture<Integer> status =
        sent.thenApply(HttpResponse::statusCode).thenApply(code -> code + 1);

    assertThat(status.cancel(false)).isTrue();
    assertThat(delegate.underWay()).isNotDone();
    assertThat(sent.thenRun(() -> {}).thenRun(() -> {}).cancel(true)).isTrue();

    assertThat(sent).isCancelled();
    assertThat(delegate.underWay()).isCancelled();
  }

  /** The thread that sends also publishes the body, as HttpClient may do. */
  @Test
  void send_bodyFedAfterwards_isSent() throws Exception {
    SubmissionPublisher<ByteBuffer> body = new SubmissionPublisher<>();
    try (SignedServer server =
        SignedServer.replying(
            request -> Reply.json(new String(request.body(), StandardCharsets.UTF_8)))) {
      CompletableFuture<HttpResponse<Void>> sent =
          send(HttpClient.newHttpClient(), TestKey.SOURCE, server.uri("/a"), body);
      awaitSubscribers(body, true);
      body.submit(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      body.close();

      assertThat(Waits.forResult(sent).statusCode()).isEqualTo(200);
      assertThat(server.requests().get(0).body()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void cancel_whileTheBodyIsAwaited_sendsNothing() throws Exception {
    PendingClient delegate = new PendingClient();
    try (TestThreads thread = TestThreads.of(1);
        SubmissionPublisher<ByteBuffer> body = new SubmissionPublisher<>()) {
      delegate.runOn(thread);
      CompletableFuture<HttpResponse<Void>> sent =
          send(delegate, TestKey.SOURCE, URI.create("http://localhost:1/"), body);
      awaitSubscribers(body, true);

      assertThat(sent.cancel(true)).isTrue();

      awaitSubscribers(body, false);
      assertThat(Waits.forResult(thread.submit(() -> Thread.currentThread().isInterrupted())))
          .isFalse();
      assertThat(delegate.sent()).isZero();
    }
  }

  private static void awaitSubscribers(SubmissionPublisher<?> body, boolean some) {
    Awaitility.await().until(() -> body.hasSubscribers() == some);
  }

  @Test
  void send_executorThatTakesNothing_failsInTheFuture() {
    PendingClient delegate = new PendingClient();
    delegate.runOn(
        task -> {
          throw new RejectedExecutionException("closed");
        });

    assertThat(send(delegate, TestKey.SOURCE, URI.create("http://localhost:1/")))
        .isCompletedExceptionally();
  }

  @Test
  void redirect_keyThatCannotBeRead_isAnIoException() throws Exception {
    Throwable thrown =
        failureAfterRedirect(
            () -> {
              throw new UncheckedIOException("no key", new IOException("disk on fire"));
            });

    assertThat(thrown).isInstanceOf(IOException.class).hasMessage("no key");
    assertThat(thrown).hasRootCauseMessage("disk on fire");
  }

  @Test
  void redirect_error_endsTheFuture() throws Exception {
    Throwable thrown =
        failureAfterRedirect(
            () -> {
              throw new AssertionError("broken");
            });

    assertThat(thrown).isInstanceOf(AssertionError.class).hasMessage("broken");
  }

  /** The end of the future if the key for the second request is not available. */
  private static Throwable failureAfterRedirect(Runnable failure) throws Exception {
    AtomicInteger asked = new AtomicInteger();
    KeySource onceOnly =
        clientId -> {
          if (asked.getAndIncrement() > 0) {
            failure.run();
          }
          return TestKey.SOURCE.signingKey(clientId);
        };
    try (SignedServer server = SignedServer.replying(Reply.redirect(307, "/b"))) {
      CompletableFuture<HttpResponse<Void>> sent =
          send(HttpClient.newHttpClient(), onceOnly, server.uri("/a"));

      Throwable thrown = catchThrowable(() -> Waits.forResult(sent));

      assertThat(thrown).isInstanceOf(ExecutionException.class);
      return thrown.getCause();
    }
  }
}
