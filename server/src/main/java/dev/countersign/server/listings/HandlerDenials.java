package dev.countersign.server.listings;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.store.Violation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Turns the failures of a handler into denials with the listing's headers. */
final class HandlerDenials {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerDenials.class);

  private final Dialect dialect;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  HandlerDenials(Dialect dialect) {
    this.dialect = dialect;
  }

  /** Wraps a handler so that every failure is a {@link DeniedException}. */
  HandlerFunction<ServerResponse> of(Listing listing, HandlerFunction<ServerResponse> handler) {
    return request -> {
      try {
        return handler.handle(request);
      } catch (DeniedException e) {
        throw with(listing, e.denial());
      } catch (UnreadableValueException e) {
        LOG.error("cannot serve {}: {}", listing.path(), e.getMessage());
        throw with(listing, unfit());
      } catch (StoreUnavailableException e) {
        LOG.warn("cannot serve {} at the moment: {}", listing.path(), e.getMessage());
        throw with(listing, unavailable());
      } catch (DataAccessException e) {
        // Only a POST has values that can violate a rule.
        Optional<Violation> violation =
            request.method().equals(HttpMethod.POST) ? dialect.violation(e) : Optional.empty();
        throw with(listing, violation.map(HandlerDenials::broken).orElseGet(() -> odd(listing, e)));
      }
    };
  }

  private static DeniedException with(Listing listing, Denial denial) {
    Denial complete = denial;
    for (Map.Entry<String, String> header : listing.deprecationHeaders().headers().entrySet()) {
      complete = complete.withHeader(header.getKey(), header.getValue());
    }
    return complete.asException();
  }

  private static Denial unavailable() {
    return Denial.of(Reason.OVERLOADED, "the store cannot answer at the moment; try again")
        .withHeader("Retry-After", "1");
  }

  /**
   * Reports a table that no longer fits its listing, for example because a column was removed. Only
   * the operator can fix that.
   */
  private Denial odd(Listing listing, DataAccessException failure) {
    // Every request to the listing may fail in the same way, so the stack trace is logged once.
    if (told.add(listing.path())) {
      LOG.error("{} no longer fits its table", listing.path(), failure);
    } else {
      LOG.error("{} no longer fits its table: {}", listing.path(), cause(failure));
    }
    return unfit();
  }

  private static Denial unfit() {
    return Denial.of(
        Reason.INTERNAL_ERROR,
        "the collection no longer fits its table; report this to the operator");
  }

  private static String cause(DataAccessException failure) {
    return failure.getMostSpecificCause().toString().lines().findFirst().orElse("");
  }

  private static Denial broken(Violation violation) {
    String problem =
        switch (violation) {
          case UNIQUE -> "another record already has a value that must be unique";
          case NOT_NULL -> "a member that the collection requires is missing";
          case CHECK -> "a value violates a rule of the collection";
          case FOREIGN_KEY -> "a value refers to a record that does not exist";
          case VALUE -> "a value is too large or too long for the collection";
        };
    return Denial.of(Reason.BODY_INVALID, problem).withMember("errors", List.of(problem));
  }
}
