package dev.countersign.signatures.httpclient;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A request with a Host set by hand, which a builder allows only with a system property. */
final class WithHost extends HttpRequest {
  private final HttpRequest request;
  private final String host;

  WithHost(HttpRequest request, String host) {
    this.request = request;
    this.host = host;
  }

  @Override
  public HttpHeaders headers() {
    return HttpHeaders.of(Map.of("Host", List.of(host)), (name, value) -> true);
  }

  @Override
  public Optional<BodyPublisher> bodyPublisher() {
    return request.bodyPublisher();
  }

  @Override
  public String method() {
    return request.method();
  }

  @Override
  public Optional<Duration> timeout() {
    return request.timeout();
  }

  @Override
  public boolean expectContinue() {
    return request.expectContinue();
  }

  @Override
  public URI uri() {
    return request.uri();
  }

  @Override
  public Optional<HttpClient.Version> version() {
    return request.version();
  }
}
