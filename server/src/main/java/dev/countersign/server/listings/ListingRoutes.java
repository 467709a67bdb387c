package dev.countersign.server.listings;

import dev.countersign.pagination.PageParameterException;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.Operation;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.once.ReplayGuard;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.Dialect;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The operations on all listings: GET and HEAD of a collection and of one record, and POST to a
 * collection that allows creation. Any other method on such a path is refused with 405 and an
 * {@code Allow} header.
 *
 * <p>Paths are compared without decoding; only the key is decoded.
 */
public final class ListingRoutes implements Operation.Finder {
  // The minimum time between two reads of the labels of enumerations because of refused values.
  private static final Duration LABEL_READ_INTERVAL = Duration.ofSeconds(1);

  private final Map<String, ListingHandler> handlers = new ConcurrentHashMap<>();
  // By path, when a refused value last caused such a read, in the time of System.nanoTime().
  private final Map<String, Long> labelsReadAt = new ConcurrentHashMap<>();
  private final ListingFailures failures;
  private final ListingCatalog listings;
  private final Database database;
  private final Function<Listing, ListingHandler> newHandler;

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
    this.listings = listings;
    this.database = database;
    this.newHandler =
        listing ->
            new ListingHandler(
                new ListingStore(listing, database, settings.totals()), replayGuard, settings);
    listings.all().forEach(listing -> handlers.put(listing.path(), newHandler.apply(listing)));
    this.failures = new ListingFailures(database, listings.unreadableValues());
  }

  @Override
  public Optional<Operation> find(String method, String path) {
    return target(path).map(target -> new ListingOperation(target, target.permission(method)));
  }

  /** An operation on a collection, or on one of its records. */
  private final class ListingOperation implements Operation {
    private final Target found;
    private final Permission permission;

    ListingOperation(Target found, Permission permission) {
      this.found = found;
      this.permission = permission;
    }

    @Override
    public String authorize(CallingClient client) {
      return current(found).handler.scope(client, permission).text();
    }

    @Override
    public ServerResponse run(SignedRequest request) {
      Target target = current(found);
      ServerResponse response = handle(target, request);
      failures.noteAnswered(target.handler.listing(), request);
      return response;
    }

    @Override
    public Map<String, String> headers() {
      return found.handler.listing().deprecationHeaders().headers();
    }

    @Override
    public Optional<Denial> explain(RuntimeException failure, SignedRequest request) {
      return failures.explain(failure, current(found).handler.listing(), request);
    }

    /**
     * Handles a request. If a value was refused that may be a new label of an enumeration, the
     * labels are read again, and if they have changed, the request is handled with the new labels.
     */
    private ServerResponse handle(Target target, SignedRequest request) {
      try {
        return target.handle(request, permission);
      } catch (PageParameterException | DeniedException e) {
        if (isAboutValues(e) && isRelabelled(target, false)) {
          return current(target).handle(request, permission);
        }
        throw e;
      } catch (DataAccessException e) {
        boolean isRefused =
            database.dialect().violation(e).filter(Dialect.Violation.VALUE::equals).isPresent();
        // In a GET, PostgreSQL refuses no value except a label that no longer exists.
        boolean isLabelRefused = !request.method().equals("POST");
        if (isRefused && isRelabelled(target, isLabelRefused)) {
          current(target).requireParameters(request);
        }
        throw e;
      }
    }
  }

  private static boolean isAboutValues(RuntimeException refused) {
    return switch (refused) {
      case PageParameterException e ->
          e.reason() == PageParameterException.Reason.PARAMETER_INVALID;
      case DeniedException e -> e.denial().reason() == Reason.BODY_INVALID;
      default -> false;
    };
  }

  /** Returns whether the listing has other labels than those that a request was handled with. */
  private boolean isRelabelled(Target target, boolean isLabelRefused) {
    Listing listing = target.handler.listing();
    return !current(target).handler.equals(target.handler)
        || (!listing.labels().isEmpty() && (isDue(listing) || isLabelRefused) && relabel(listing));
  }

  private boolean isDue(Listing listing) {
    long now = System.nanoTime();
    Long last = labelsReadAt.get(listing.path());
    return last == null
        ? labelsReadAt.putIfAbsent(listing.path(), now) == null
        : now - last >= LABEL_READ_INTERVAL.toNanos()
            && labelsReadAt.replace(listing.path(), last, now);
  }

  private boolean relabel(Listing listing) {
    Optional<Listing> now = listings.relabel(listing, database);
    now.ifPresent(found -> handlers.put(found.path(), newHandler.apply(found)));
    return now.isPresent();
  }

  private Target current(Target target) {
    ListingHandler now = handlers.getOrDefault(target.handler.listing().path(), target.handler);
    return new Target(now, target.segment);
  }

  private Optional<Target> target(String path) {
    ListingHandler collection = handlers.get(path);
    if (collection != null) {
      return Optional.of(new Target(collection, null));
    }
    int slash = path.lastIndexOf('/');
    ListingHandler parent = slash < 0 ? null : handlers.get(path.substring(0, slash));
    String segment = path.substring(slash + 1);
    return parent == null || segment.isEmpty()
        ? Optional.empty()
        : Optional.of(new Target(parent, segment));
  }

  /**
   * A collection, or one record of it.
   *
   * @param segment the record's key, still percent-encoded; null for the collection
   */
  private record Target(ListingHandler handler, @Nullable String segment) {

    ServerResponse handle(SignedRequest request, Permission permission) {
      if (segment != null) {
        return handler.one(request, segment);
      }
      return permission.equals(handler.listing().readPermission())
          ? handler.list(request)
          : handler.create(request);
    }

    /** Requires that the parameters of a request for a page are valid. */
    void requireParameters(SignedRequest request) {
      if (segment == null && !request.method().equals("POST")) {
        handler.requireParameters(request);
      }
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
          // Usually, the operation adds these headers, but this request has none.
          .withHeaders(handler.listing().deprecationHeaders().headers())
          .asException();
    }
  }
}
