package dev.countersign.client;

import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Optional;

/**
 * A request of an exchange, not yet signed.
 *
 * @param redirects number of redirects that led to it
 */
record Hop(HttpRequest request, int redirects) {

  static Hop first(HttpRequest request) {
    return new Hop(request, 0);
  }

  /** The redirected request to send next; empty when the answer is for the caller. */
  Optional<Hop> next(HttpResponse<?> answer) {
    return next(answer.statusCode(), answer.headers());
  }

  private Optional<Hop> next(int status, HttpHeaders headers) {
    return redirects == Redirects.MOST
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
