package dev.countersign.client;

import dev.countersign.protocol.BaseUrl;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Determines the request that follows a redirect. Redirects to another origin are not followed (RFC
 * 9110 section 15.4).
 */
final class Redirects {
  /** The maximum number of redirects to follow; any further redirect is returned to the caller. */
  static final int MAX_REDIRECTS = 5;

  private static final Set<Integer> REDIRECT_STATUSES = Set.of(301, 302, 303, 307, 308);

  /**
   * The prefix of the fields that describe the body. A request whose method changes to GET loses
   * them (RFC 9110 section 15.4).
   */
  private static final String BODY_FIELD_PREFIX = "content-";

  private Redirects() {}

  static boolean isRedirect(HttpResponse<?> response) {
    return REDIRECT_STATUSES.contains(response.statusCode());
  }

  /**
   * Determines the request to send next; empty if the response is no redirect or leads to another
   * origin.
   */
  static Optional<HttpRequest> next(HttpRequest request, HttpResponse<?> response) {
    return next(request, response.statusCode(), response.headers());
  }

  /** Determines the request to send next from the head of a response, before its body arrives. */
  static Optional<HttpRequest> next(HttpRequest request, int status, HttpHeaders headers) {
    if (!REDIRECT_STATUSES.contains(status)) {
      return Optional.empty();
    }
    return headers
        .firstValue("location")
        .flatMap(location -> target(request.uri(), location))
        .map(target -> redirectedRequest(request, status, target));
  }

  private static Optional<URI> target(URI from, String location) {
    try {
      // If the base has no path, RFC 3986 section 5.2.3 inserts a slash. URI does not: it resolves
      // ".evil" to http://api.example.evil, and getHost() still returns api.example. Parsing the
      // result again gives its actual host.
      URI base = from.getRawPath().isEmpty() ? from.resolve("/") : from;
      URI target = URI.create(base.resolve(location).toString());
      return BaseUrl.isSameOrigin(target, from) ? Optional.of(target) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static HttpRequest redirectedRequest(HttpRequest request, int status, URI target) {
    if (!becomesGet(request.method(), status)) {
      return HttpRequest.newBuilder(request, (name, value) -> true).uri(target).build();
    }
    return HttpRequest.newBuilder(request, Redirects::isKeptWhenBodyIsDropped)
        .uri(target)
        .method("GET", BodyPublishers.noBody())
        .build();
  }

  private static boolean isKeptWhenBodyIsDropped(String name, String value) {
    String lower = name.toLowerCase(Locale.ROOT);
    return !lower.startsWith(BODY_FIELD_PREFIX) && !lower.equals("idempotency-key");
  }

  /**
   * Returns whether the method changes to GET (RFC 9110 sections 15.4.2 to 15.4.4). After 303 every
   * method changes except HEAD; after 301 and 302 only POST changes, by convention.
   */
  private static boolean becomesGet(String method, int status) {
    boolean isRead = method.equals("GET") || method.equals("HEAD");
    return (status == 303 && !isRead) || (status < 303 && method.equals("POST"));
  }
}
