package dev.countersign.client;

import dev.countersign.client.keys.KeyException;
import dev.countersign.signatures.SigningException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request under way with the redirects that follow it; cancelled with what is being sent. */
final class SignedExchange<T> extends CompletableFuture<HttpResponse<T>> {
  private final HttpClient http;
  private final RequestSigner signer;
  private final BodyHandler<T> handler;
  private final @Nullable PushPromiseHandler<T> pushes;
  private volatile @Nullable CompletableFuture<HttpResponse<T>> underWay;

  SignedExchange(
      HttpClient http,
      RequestSigner signer,
      BodyHandler<T> handler,
      @Nullable PushPromiseHandler<T> pushes) {
    this.http = http;
    this.signer = signer;
    this.handler = handler;
    this.pushes = pushes;
  }

  CompletableFuture<HttpResponse<T>> send(HttpRequest request) {
    try {
      send(RequestSigner.withDigest(request), 0);
    } catch (UncheckedIOException e) {
      completeExceptionally(new IOException(e.getMessage(), e.getCause()));
    } catch (KeyException | SigningException e) {
      completeExceptionally(e);
    }
    return this;
  }

  private void send(HttpRequest request, int redirects) {
    CompletableFuture<HttpResponse<T>> sent = http.sendAsync(signer.sign(request), handler, pushes);
    underWay = sent;
    if (isCancelled()) {
      sent.cancel(true);
    }
    CompletableFuture<HttpResponse<T>> unused =
        sent.whenComplete((response, failure) -> proceed(request, redirects, response, failure));
  }

  private void proceed(
      HttpRequest request,
      int redirects,
      @Nullable HttpResponse<T> response,
      @Nullable Throwable failure) {
    try {
      if (response == null) {
        completeExceptionally(failure == null ? new CancellationException() : failure);
        return;
      }
      Optional<HttpRequest> next = Redirects.next(request, response);
      if (next.isEmpty() || redirects == Redirects.MOST) {
        complete(response);
      } else {
        send(next.get(), redirects + 1);
      }
    } catch (UncheckedIOException e) {
      completeExceptionally(new IOException(e.getMessage(), e.getCause()));
    } catch (Throwable e) {
      // Nobody else looks at what is thrown here, be it an Error.
      completeExceptionally(e);
    }
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean cancelled = super.cancel(mayInterrupt);
    CompletableFuture<HttpResponse<T>> sent = underWay;
    if (sent != null) {
      sent.cancel(mayInterrupt);
    }
    return cancelled;
  }

  /** Stages that depend on this one are plain. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
