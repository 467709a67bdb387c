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

/**
 * Signs a request and forwards it to the service.
 *
 * @param target the service's base URL, whose path precedes the path of every request
 */
record ForwardedRequest(HttpClient http, BaseUrl target, RequestSigner signer) {
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
    return new ForwardedRequest(http, target, signer);
  }

  /**
   * Returns the service's response, with its body still unread.
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
