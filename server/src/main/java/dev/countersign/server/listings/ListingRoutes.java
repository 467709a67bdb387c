package dev.countersign.server.listings;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.ReplayGuard;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.store.Database;
import jakarta.servlet.http.HttpServletRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The routes of all listings: GET and HEAD of a collection and of one record, and POST to a
 * collection that allows creation. Any other method on such a path is refused with 405 and an
 * {@code Allow} header. Any other path is refused with 404.
 *
 * <p>Paths are compared without decoding; only the key is decoded.
 */
public final class ListingRoutes implements RouterFunction<ServerResponse> {
  private final Map<String, ListingHandler> handlers = new HashMap<>();
  private final HandlerDenials handlerDenials;

  /**
   * Creates the routes of these listings.
   *
   * @param database the store that the listings were checked against
   * @param replayGuard performs the check {@code replay}
   */
  public ListingRoutes(
      ListingCatalog listings,
      Database database,
      ReplayGuard replayGuard,
      ListingSettings settings) {
    for (Listing listing : listings.all()) {
      handlers.put(listing.path(), new ListingHandler(listing, database, replayGuard, settings));
    }
    this.handlerDenials = new HandlerDenials(database);
  }

  @Override
  public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
    String path = path(request.servletRequest());
    ListingHandler collection = handlers.get(path);
    if (collection != null) {
      return Optional.of(
          handlerDenials.of(collection.listing(), call -> collection(collection, call)));
    }
    int slash = path.lastIndexOf('/');
    ListingHandler parent = slash < 0 ? null : handlers.get(path.substring(0, slash));
    String segment = path.substring(slash + 1);
    if (parent != null && !segment.isEmpty()) {
      return Optional.of(
          handlerDenials.of(parent.listing(), call -> record(parent, call, segment)));
    }
    return Optional.of(
        call -> {
          throw new DeniedException(Reason.NOT_FOUND, "nothing is served at this path");
        });
  }

  private static ServerResponse collection(ListingHandler handler, ServerRequest request) {
    return switch (request.method().name()) {
      case "GET", "HEAD" -> handler.list(request);
      case "POST" -> {
        if (!handler.listing().isCreatable()) {
          throw notAllowed("GET, HEAD");
        }
        yield handler.create(request);
      }
      default ->
          throw notAllowed(handler.listing().isCreatable() ? "GET, HEAD, POST" : "GET, HEAD");
    };
  }

  private static ServerResponse record(
      ListingHandler handler, ServerRequest request, String segment) {
    return switch (request.method().name()) {
      case "GET", "HEAD" -> handler.one(request, segment);
      default -> throw notAllowed("GET, HEAD");
    };
  }

  // RFC 9110 section 15.5.6: a 405 names the methods that are allowed.
  private static DeniedException notAllowed(String allowed) {
    return Denial.of(Reason.METHOD_NOT_ALLOWED, "this URL supports only " + allowed)
        .withHeader("Allow", allowed)
        .asException();
  }

  private static String path(HttpServletRequest request) {
    return request.getRequestURI().substring(request.getContextPath().length());
  }
}
