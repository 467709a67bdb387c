package dev.countersign.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An {@link HttpClient} that signs every request, for libraries that accept an {@code HttpClient}.
 *
 * <p>It follows at most five redirects, only within the origin, and signs each redirected request
 * anew; RFC 9110 section 15.4 defines the method of that request. It returns a redirect to another
 * origin as it is, because a signature is valid for one address only. A {@link BodyHandler} sees
 * only the answer that is returned, and that answer has no {@link HttpResponse#previousResponse()}.
 * If the key cannot be used, it throws a {@link dev.countersign.client.keys.KeyException}.
 *
 * <p>{@code sendAsync} reads the body and signs on the executor of the underlying client, or else
 * on the common pool, and reports every failure through its future. Cancelling that future, or one
 * that depends on it, cancels the request in progress, as HttpClient does.
 */
@SuppressWarnings("exports") // JSpecify is for compilers: callers do not need its module.
public final class SigningHttpClient extends HttpClient {
  private final HttpClient delegate;
  private final RequestSigner signer;
  private final HttpClientShutdown httpClientShutdown;

  private SigningHttpClient(HttpClient delegate, RequestSigner signer) {
    this.delegate = delegate;
    this.signer = signer;
    this.httpClientShutdown = new HttpClientShutdown(delegate);
  }

  /**
   * Wraps a client so that it signs.
   *
   * @param delegate sends the signed requests
   * @throws IllegalArgumentException when the client follows redirects by itself, which would send
   *     one signature to two addresses
   */
  public static SigningHttpClient of(HttpClient delegate, RequestSigner signer) {
    requireNoRedirects(delegate);
    return new SigningHttpClient(delegate, Objects.requireNonNull(signer, "signer"));
  }

  static void requireNoRedirects(HttpClient client) {
    if (client.followRedirects() != Redirect.NEVER) {
      throw new IllegalArgumentException(
          "the HttpClient must not follow redirects, was "
              + client.followRedirects()
              + "; a signature is valid for one address, so this client follows redirects itself");
    }
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    httpClientShutdown.begin();
    try {
      return sendAndFollow(request, handler);
    } catch (UncheckedIOException e) {
      // The body or the key cannot be read. A client that does not sign would throw an IOException.
      throw new IOException(e.getMessage(), e.getCause());
    } finally {
      httpClientShutdown.end();
    }
  }

  private <T> HttpResponse<T> sendAndFollow(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    SignedExchange.Hop hop = SignedExchange.Hop.first(RequestSigner.withDigest(request));
    while (true) {
      HttpResponse<T> response = delegate.send(signer.sign(hop.request()), hop.handling(handler));
      Optional<SignedExchange.Hop> next = hop.next(response);
      if (next.isEmpty()) {
        return response;
      }
      hop = next.get();
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return sendAsync(request, handler, null);
  }

  @Override
  @SuppressWarnings("exports") // Callers do not need the annotation.
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
    Objects.requireNonNull(request, "request");
    try {
      httpClientShutdown.begin();
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
    // The exchange counts as completed before the caller's own stages run: one may call close().
    return new SignedExchange<>(delegate, signer, handler, pushes)
        .send(request)
        .whenComplete((response, failure) -> httpClientShutdown.end());
  }

  /** Not supported: HttpClient itself makes the request for the handshake. */
  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    throw new UnsupportedOperationException(
        "a WebSocket handshake cannot be signed here; use the underlying HttpClient");
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return delegate.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return delegate.connectTimeout();
  }

  /**
   * Returns {@link java.net.http.HttpClient.Redirect#NORMAL}, the closest value. In fact this
   * client stays within the origin and keeps no previous responses.
   */
  @Override
  public Redirect followRedirects() {
    return Redirect.NORMAL;
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return delegate.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return delegate.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return delegate.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return delegate.authenticator();
  }

  @Override
  public Version version() {
    return delegate.version();
  }

  @Override
  public Optional<Executor> executor() {
    return delegate.executor();
  }

  // The following methods override those that HttpClient has had since Java 21.

  /**
   * Accepts no new requests, and shuts down the underlying client once the requests in progress and
   * their redirects have completed.
   */
  public void shutdown() {
    httpClientShutdown.shutdown();
  }

  /** Accepts no new requests, cancels those in progress, and shuts down the underlying client. */
  public void shutdownNow() {
    httpClientShutdown.shutdownNow();
  }

  /** Returns whether the underlying client has terminated. */
  public boolean isTerminated() {
    return httpClientShutdown.isTerminated();
  }

  /**
   * Waits for the underlying client to terminate.
   *
   * @return whether it has terminated
   */
  public boolean awaitTermination(Duration duration) throws InterruptedException {
    return httpClientShutdown.awaitTermination(duration);
  }

  /**
   * Shuts down as {@link #shutdown} does, and waits for the underlying client to terminate. If the
   * thread is interrupted, cancels the requests in progress.
   */
  public void close() {
    httpClientShutdown.close();
  }
}
