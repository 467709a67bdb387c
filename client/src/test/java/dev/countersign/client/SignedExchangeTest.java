package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.countersign.client.keys.KeySource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** However an exchange ends, its future does, and with it what is under way. */
class SignedExchangeTest {
  private static CompletableFuture<HttpResponse<Void>> send(
      HttpClient http, KeySource key, URI uri) {
    return new SignedExchange<>(
            http, RequestSigner.of(TestKey.CLIENT_ID, key), BodyHandlers.discarding(), null)
        .send(HttpRequest.newBuilder(uri).build());
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

  /** How the future ends when the key for the second request is not to be had. */
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

      Throwable thrown = catchThrowable(() -> sent.get(20, TimeUnit.SECONDS));

      assertThat(thrown).isInstanceOf(ExecutionException.class);
      return thrown.getCause();
    }
  }
}
