package dev.countersign.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A request in progress and the redirects that follow it. Cancelling the exchange cancels the
 * request that is being sent.
 */
final class SignedExchange<T> extends CompletableFuture<HttpResponse<T>> {
  private final HttpClient http;
  private final RequestSigner signer;
  private final BodyHandler<T> handler;
  private final @Nullable PushPromiseHandler<T> pushes;
  private volatile @Nullable FutureTask<Void> startTask;
  private volatile @Nullable CompletableFuture<HttpResponse<T>> currentSend;

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

  /**
   * Starts the exchange on another thread, because the calling thread may be the one that publishes
   * the body.
   */
  CompletableFuture<HttpResponse<T>> send(HttpRequest request) {
    Objects.requireNonNull(request, "request");
    FutureTask<Void> task =
        new FutureTask<>(
            () -> runOrFail(() -> send(Hop.first(RequestSigner.withDigest(request)))), null);
    startTask = task;
    runOrFail(() -> http.executor().orElseGet(this::defaultExecutor).execute(() -> run(task)));
    return this;
  }

  private static void run(FutureTask<Void> task) {
    task.run();
    if (task.isCancelled()) {
      // The interrupt was for this task alone; clear it for the tasks that run on this thread next.
      Thread.interrupted();
    }
  }

  private void send(Hop hop) {
    HttpRequest signed = signer.sign(hop.request());
    if (isDone()) {
      return;
    }
    CompletableFuture<HttpResponse<T>> sent = http.sendAsync(signed, hop.handling(handler), pushes);
    currentSend = sent;
    if (isCancelled()) {
      sent.cancel(true);
    }
    CompletableFuture<HttpResponse<T>> unused =
        sent.whenComplete((response, failure) -> proceed(hop, response, failure));
  }

  private void proceed(Hop hop, @Nullable HttpResponse<T> response, @Nullable Throwable failure) {
    if (response == null) {
      completeExceptionally(failure == null ? new CancellationException() : failure);
      return;
    }
    runOrFail(
        () -> {
          Optional<Hop> next = hop.next(response);
          if (next.isPresent()) {
            send(next.get());
          } else {
            complete(response);
          }
        });
  }

  private void runOrFail(Runnable step) {
    try {
      step.run();
    } catch (UncheckedIOException e) {
      completeExceptionally(new IOException(e.getMessage(), e.getCause()));
    } catch (Throwable e) {
      // No caller sees an exception that is thrown here, so even an Error completes the future.
      completeExceptionally(e);
    }
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean cancelled = super.cancel(mayInterrupt);
    FutureTask<Void> task = startTask;
    if (task != null) {
      task.cancel(mayInterrupt);
    }
    CompletableFuture<HttpResponse<T>> sent = currentSend;
    if (sent != null) {
      sent.cancel(mayInterrupt);
    }
    return cancelled;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new Dependent<>(this);
  }

  /** A stage that depends on an exchange. Cancelling the stage cancels the exchange. */
  private static final class Dependent<U> extends CompletableFuture<U> {
    private final CompletableFuture<?> exchange;

    Dependent(CompletableFuture<?> exchange) {
      this.exchange = exchange;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      boolean cancelled = super.cancel(mayInterrupt);
      if (cancelled && mayInterrupt) {
        exchange.cancel(true);
      }
      return cancelled;
    }

    @Override
    public <V> CompletableFuture<V> newIncompleteFuture() {
      return new Dependent<>(exchange);
    }
  }

  /**
   * A request of an exchange, not yet signed.
   *
   * @param redirects number of redirects that led to this request
   */
  record Hop(HttpRequest request, int redirects) {

    static Hop first(HttpRequest request) {
      return new Hop(request, 0);
    }

    /** The redirected request to send next; empty if the answer goes to the caller. */
    Optional<Hop> next(HttpResponse<?> answer) {
      return next(answer.statusCode(), answer.headers());
    }

    private Optional<Hop> next(int status, HttpHeaders headers) {
      return redirects == Redirects.MAX_REDIRECTS
          ? Optional.empty()
          : Redirects.next(request, status, headers).map(moved -> new Hop(moved, redirects + 1));
    }

    /** A handler that passes only the final answer to the caller's handler. */
    <T> BodyHandler<T> handling(BodyHandler<T> handler) {
      return answer ->
          next(answer.statusCode(), answer.headers()).isPresent()
              ? BodySubscribers.replacing(null)
              : handler.apply(answer);
    }
  }
}
