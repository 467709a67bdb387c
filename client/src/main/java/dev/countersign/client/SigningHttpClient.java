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
 * A {@link HttpClient} that signs all it sends, for whatever accepts one.
 *
 * <p>Redirects inside the origin are followed, at most five, each request signed anew (RFC 9110
 * section 15.4 says with which method); one to another origin is returned as it is, because a
 * signature is for one address alone. The answer that is returned is the only one a {@link
 * BodyHandler} sees, and has no {@link HttpResponse#previousResponse()}. A key that cannot be used
 * is a {@link dev.countersign.client.keys.KeyException}.
 *
 * <p>{@code sendAsync} reads the body and signs on the executor of the client beneath, or else on
 * the common pool, and puts whatever fails into its future. To cancel that future, or one that
 * depends on it, cancels what is being sent, as HttpClient does.
 */
@SuppressWarnings("exports") // JSpecify is for compilers: whoever uses this needs no such module.
public final class SigningHttpClient extends HttpClient {
  private final HttpClient delegate;
  private final RequestSigner signer;
  private final Ending ending;

  private SigningHttpClient(HttpClient delegate, RequestSigner signer) {
    this.delegate = delegate;
    this.signer = signer;
    this.ending = new Ending(delegate);
  }

  /**
   * A client that signs.
   *
   * @param delegate sends what is signed
   * @throws IllegalArgumentException when it follows redirects by itself, which would send one
   *     signature to two addresses
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
              + "; a signature is for one address, leave redirects to this client");
    }
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    Hop hop = Hop.first(withDigest(request));
    while (true) {
      HttpResponse<T> response = delegate.send(signer.sign(hop.request()), hop.handling(handler));
      Optional<Hop> next = hop.next(response);
      if (next.isEmpty()) {
        return response;
      }
      hop = next.get();
    }
  }

  /** A body that cannot be read is what it would be without signing: an IOException. */
  private static HttpRequest withDigest(HttpRequest request) throws IOException {
    try {
      return RequestSigner.withDigest(request);
    } catch (UncheckedIOException e) {
      throw new IOException(e.getMessage(), e.getCause());
    }
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return sendAsync(request, handler, null);
  }

  @Override
  @SuppressWarnings("exports") // Nobody has to know the annotation to call this.
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
    return new SignedExchange<>(delegate, signer, handler, pushes).send(request);
  }

  /** Not supported: the handshake is a request that HttpClient makes by itself. */
  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    throw new UnsupportedOperationException(
        "the handshake of a WebSocket cannot be signed here; use the HttpClient beneath");
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
   * {@link java.net.http.HttpClient.Redirect#NORMAL} is nearest to what this client does, which
   * stays inside the origin and keeps no previous responses.
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

  // What follows overrides methods that HttpClient has since Java 21.

  /** Ends the client beneath once what is under way has ended. */
  public void shutdown() {
    ending.shutdown();
  }

  /** Ends the client beneath, and what is under way. */
  public void shutdownNow() {
    ending.shutdownNow();
  }

  /** Whether the client beneath has ended. */
  public boolean isTerminated() {
    return ending.isTerminated();
  }

  /**
   * Waits for the client beneath to end.
   *
   * @return whether it has
   */
  public boolean awaitTermination(Duration duration) throws InterruptedException {
    return ending.awaitTermination(duration);
  }

  /** Ends the client beneath and waits for it. */
  public void close() {
    ending.close();
  }
}
