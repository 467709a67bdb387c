package dev.countersign.client;

import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Optional;

/**
 * A request of an exchange, not signed yet.
 *
 * @param redirects how many led to it
 */
record Hop(HttpRequest request, int redirects) {

  static Hop first(HttpRequest request) {
    return new Hop(request, 0);
  }

  /** Where the answer leads; nothing when it is the caller's. */
  Optional<Hop> next(HttpResponse<?> answer) {
    return next(answer.statusCode(), answer.headers());
  }

  private Optional<Hop> next(int status, HttpHeaders headers) {
    return redirects == Redirects.MOST
        ? Optional.empty()
        : Redirects.next(request, status, headers).map(moved -> new Hop(moved, redirects + 1));
  }

  /** What the caller's handler gets to see: the answer that is the caller's, and no other. */
  <T> BodyHandler<T> handling(BodyHandler<T> handler) {
    return answer ->
        next(answer.statusCode(), answer.headers()).isPresent()
            ? BodySubscribers.replacing(null)
            : handler.apply(answer);
  }
}
