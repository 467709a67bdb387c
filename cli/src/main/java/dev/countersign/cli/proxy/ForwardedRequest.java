package dev.countersign.cli.proxy;

import com.sun.net.httpserver.HttpExchange;
import dev.countersign.client.RequestSigner;
import dev.countersign.client.keys.KeyException;
import dev.countersign.protocol.BaseUrl;
import dev.countersign.protocol.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Signs a request and forwards it to the service.
 *
 * @param target the service's base URL, whose path precedes the path of every request
 * @param readTimeout how long to wait for the next bytes of a response's body
 */
record ForwardedRequest(
    HttpClient http, BaseUrl target, RequestSigner signer, Duration readTimeout) {
  // In bytes.
  private static final int MAX_BODY_SIZE = 16 * 1024 * 1024;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  static ForwardedRequest to(BaseUrl target, RequestSigner signer) {
    // Design note: the proxy does not follow a redirect, because a signature is for one URL. The
    // caller receives the redirect.
    HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(20))
            .build();
    return new ForwardedRequest(http, target, signer, TIMEOUT);
  }

  ForwardedRequest withReadTimeout(Duration other) {
    return new ForwardedRequest(http, target, signer, other);
  }

  /**
   * Returns the service's response, with its body still unread; see {@link #read}.
   *
   * @throws ProxyException when there is no response
   */
  HttpResponse<InputStream> send(HttpExchange exchange) throws IOException, InterruptedException {
    HttpRequest signed = signed(exchange);
    try {
      return http.send(signed, BodyHandlers.ofInputStream());
    } catch (HttpTimeoutException late) {
      throw new ProxyException(504, "timeout", target + " did not respond in time");
    } catch (IOException failed) {
      throw new ProxyException(
          502, "connection_failed", target + " cannot be reached: " + failed.getMessage());
    }
  }

  /**
   * Reads the next bytes of a response's body, like {@link InputStream#read(byte[])}.
   *
   * @throws IOException when no bytes arrive in time; the body is then closed
   */
  int read(InputStream body, byte[] chunk) throws IOException {
    // Design note: the HTTP client's own timeout covers only the headers. Without this limit, a
    // body that stalls would occupy the proxy for ever.
    CompletableFuture<Boolean> completed = new CompletableFuture<>();
    CompletableFuture<Boolean> unused =
        completed
            .orTimeout(readTimeout.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (inTime, late) -> {
                  if (late != null) {
                    close(body);
                  }
                });
    try {
      return body.read(chunk);
    } finally {
      completed.complete(true);
    }
  }

  /** Closes a body, so that a read in another thread fails. */
  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException failed) {
      // The read fails in any case.
    }
  }

  private HttpRequest signed(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_SIZE + 1);
    if (body.length > MAX_BODY_SIZE) {
      throw new ProxyException(
          413, Reason.BODY_TOO_LARGE.word(), "the proxy accepts bodies of at most 16 MiB");
    }
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(target.resolve(exchange.getRequestURI().toString()))
              .timeout(TIMEOUT);
      PassedHeaders.ofRequest(exchange.getRequestHeaders())
          .forEach((name, values) -> values.forEach(value -> request.header(name, value)));
      request.method(
          exchange.getRequestMethod(),
          body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
      return signer.sign(request.build());
    } catch (IllegalArgumentException malformed) {
      throw new ProxyException(
          400, Reason.REQUEST_MALFORMED.word(), String.valueOf(malformed.getMessage()));
    } catch (KeyException unusable) {
      throw new ProxyException(502, "key_unusable", String.valueOf(unusable.getMessage()));
    }
  }
}
