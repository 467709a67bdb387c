package dev.countersign.client;

import java.net.http.HttpRequest;
import java.util.Optional;

/**
 * What was tried.
 *
 * @param request the caller's, before any redirect made another of it
 * @param attempts how often it was sent, 0 where it was not
 */
record Tried(HttpRequest request, int attempts) {

  /** The same before the attempt that is under way. */
  Tried before() {
    return new Tried(request, attempts - 1);
  }

  Optional<String> idempotencyKey() {
    return request.headers().firstValue("idempotency-key");
  }
}
