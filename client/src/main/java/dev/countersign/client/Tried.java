package dev.countersign.client;

import java.net.http.HttpRequest;
import java.util.Optional;

/**
 * The caller's request and the number of attempts so far.
 *
 * @param request the caller's, before any redirect changed it
 * @param attempts how often it was sent, or 0 if it was not
 */
record Tried(HttpRequest request, int attempts) {

  /** The same, without the attempt in progress. */
  Tried before() {
    return new Tried(request, attempts - 1);
  }

  Optional<String> idempotencyKey() {
    return request.headers().firstValue("idempotency-key");
  }
}
