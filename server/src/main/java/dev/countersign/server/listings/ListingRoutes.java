package dev.countersign.server.listings;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.ReplayGuard;
import dev.countersign.server.access.RouteAdmission;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.store.Database;
import jakarta.servlet.http.HttpServletRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
public final class ListingRoutes implements RouterFunction<ServerResponse>, RouteAdmission {
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
    this.handlerDenials = new HandlerDenials(database, listings.unreadableValues());
  }

  @Override
  public boolean admit(String method, String path, CallingClient client) {
    Optional<Place> place = place(path);
    place.ifPresent(
        found ->
            HandlerDenials.complete(found.handler.listing(), () -> found.admit(method, client)));
    return place.isPresent();
  }

  @Override
  public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
    HttpServletRequest servlet = request.servletRequest();
    String path = servlet.getRequestURI().substring(servlet.getContextPath().length());
    return place(path)
        .map(found -> handlerDenials.of(found.handler.listing(), found::handle))
        .or(() -> Optional.of(ListingRoutes::refuse));
  }

  private static ServerResponse refuse(ServerRequest request) {
    throw new DeniedException(Reason.NOT_FOUND, "nothing is served at this path");
  }

  private Optional<Place> place(String path) {
    ListingHandler collection = handlers.get(path);
    if (collection != null) {
      return Optional.of(new Place(collection, null));
    }
    int slash = path.lastIndexOf('/');
    ListingHandler parent = slash < 0 ? null : handlers.get(path.substring(0, slash));
    String segment = path.substring(slash + 1);
    return parent == null || segment.isEmpty()
        ? Optional.empty()
        : Optional.of(new Place(parent, segment));
  }

  /**
   * A collection, or one record of it.
   *
   * @param segment the record's key, still percent-encoded; null for the collection
   */
  private record Place(ListingHandler handler, @Nullable String segment) {

    /** Requires that the method is allowed here and that the client may use it. */
    void admit(String method, CallingClient client) {
      handler.scope(client, permission(method));
    }

    ServerResponse handle(ServerRequest request) {
      Permission permission = permission(request.method().name());
      if (segment != null) {
        return handler.one(request, segment);
      }
      return permission.equals(handler.listing().readPermission())
          ? handler.list(request)
          : handler.create(request);
    }

    private Permission permission(String method) {
      boolean creatable = segment == null && handler.listing().isCreatable();
      if (method.equals("GET") || method.equals("HEAD")) {
        return handler.listing().readPermission();
      }
      if (method.equals("POST") && creatable) {
        return handler.listing().createPermission();
      }
      // RFC 9110 section 15.5.6: a 405 names the methods that are allowed.
      String allowed = creatable ? "GET, HEAD, POST" : "GET, HEAD";
      throw Denial.of(Reason.METHOD_NOT_ALLOWED, "this URL supports only " + allowed)
          .withHeader("Allow", allowed)
          .asException();
    }
  }
}
