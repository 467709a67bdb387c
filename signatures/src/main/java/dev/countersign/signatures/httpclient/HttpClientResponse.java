package dev.countersign.signatures.httpclient;

import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.ResponseMessage;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;

/**
 * A response that {@link java.net.http.HttpClient} received, with the request that it answers:
 * after a redirect, the last one sent.
 *
 * <p>The client drops trailers, so this response has none. The client also turns a tab inside a
 * value into a space, so a signature that covers such a value does not verify here.
 */
@SuppressWarnings("exports") // As in HttpClientRequest.
public final class HttpClientResponse implements ResponseMessage {
  private final HttpResponse<?> response;

  private HttpClientResponse(HttpResponse<?> response) {
    this.response = response;
  }

  public static HttpClientResponse of(HttpResponse<?> response) {
    return new HttpClientResponse(response);
  }

  @Override
  public int status() {
    return response.statusCode();
  }

  @Override
  public Optional<RequestMessage> request() {
    return Optional.of(HttpClientRequest.of(response.request()));
  }

  @Override
  public List<String> fieldLines(String lowerCaseName) {
    // Over HTTP/2 the client lists :status among the fields, although it is not one.
    return lowerCaseName.startsWith(":") ? List.of() : response.headers().allValues(lowerCaseName);
  }

  @Override
  public BodyFraming bodyFraming() {
    if (neverHasBody()) {
      return BodyFraming.NONE;
    }
    Optional<String> length = response.headers().firstValue("content-length");
    // RFC 9112 section 6.3: without a length the body lasts until the stream or connection ends.
    if (length.isEmpty() || response.headers().firstValue("transfer-encoding").isPresent()) {
      return BodyFraming.UNKNOWN;
    }
    return length.get().matches("0+") ? BodyFraming.NONE : BodyFraming.PRESENT;
  }

  /** RFC 9112 section 6.3: these responses have no body, whatever the fields say. */
  private boolean neverHasBody() {
    int status = response.statusCode();
    return response.request().method().equals("HEAD")
        || status < 200
        || status == 204
        || status == 304;
  }
}
