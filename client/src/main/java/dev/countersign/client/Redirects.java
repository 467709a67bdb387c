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
  static final int MOST = 5;

  private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);

  /**
   * The prefix of the fields that describe the body. They are dropped when the method changes to
   * GET (RFC 9110 section 15.4).
   */
  private static final String BODY_FIELDS = "content-";

  private Redirects() {}

  static boolean isRedirect(HttpResponse<?> response) {
    return STATUSES.contains(response.statusCode());
  }

  /** The request to send next; empty if there is no redirect or it leads to another origin. */
  static Optional<HttpRequest> next(HttpRequest request, HttpResponse<?> response) {
    return next(request, response.statusCode(), response.headers());
  }

  /** Determines the next request from the head of an answer, before its body has arrived. */
  static Optional<HttpRequest> next(HttpRequest request, int status, HttpHeaders headers) {
    if (!STATUSES.contains(status)) {
      return Optional.empty();
    }
    return headers
        .firstValue("location")
        .flatMap(location -> target(request.uri(), location))
        .map(target -> moved(request, status, target));
  }

  private static Optional<URI> target(URI from, String location) {
    try {
      // RFC 3986 section 5.2.3 inserts a slash if the base has no path. URI does not: it appends a
      // relative path to the authority, which changes the host. The new host shows only after the
      // result is parsed again.
      URI base = from.getRawPath().isEmpty() ? from.resolve("/") : from;
      URI target = URI.create(base.resolve(location).toString());
      return BaseUrl.isSameOrigin(target, from) ? Optional.of(target) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static HttpRequest moved(HttpRequest request, int status, URI target) {
    if (!becomesGet(request.method(), status)) {
      return HttpRequest.newBuilder(request, (name, value) -> true).uri(target).build();
    }
    return HttpRequest.newBuilder(request, Redirects::isKeptWithoutBody)
        .uri(target)
        .method("GET", BodyPublishers.noBody())
        .build();
  }

  private static boolean isKeptWithoutBody(String name, String value) {
    String lower = name.toLowerCase(Locale.ROOT);
    return !lower.startsWith(BODY_FIELDS) && !lower.equals("idempotency-key");
  }

  /**
   * Returns whether the method changes to GET (RFC 9110 sections 15.4.2 to 15.4.4). After 303 every
   * method changes except HEAD; after 301 and 302 only POST changes, by convention.
   */
  private static boolean becomesGet(String method, int status) {
    boolean reads = method.equals("GET") || method.equals("HEAD");
    return (status == 303 && !reads) || (status < 303 && method.equals("POST"));
  }
}
