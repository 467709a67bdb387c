package dev.countersign.server.listings;

import dev.countersign.pagination.PageParameterException;
import dev.countersign.pagination.PageRequest;
import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.listings.UnreadableValues.UnreadableValueException;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.Dialect.Violation;
import dev.countersign.server.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Turns the failures of requests to listings into refusals, and logs those that the operator must
 * correct.
 */
final class ListingFailures {
  private static final Logger LOG = LoggerFactory.getLogger(ListingFailures.class);

  // The maximum number of stack traces in the log, whatever the causes.
  private static final int MAX_TRACES = 100;
  private static final Duration FIT_CHECK_INTERVAL = Duration.ofSeconds(1);
  // How often the log says that the store cannot answer requests to a listing.
  private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

  private final Database database;
  private final UnreadableValues unreadableValues;
  // By operation, the problems that the log has reported and that are not yet resolved.
  private final Map<String, String> problems = new ConcurrentHashMap<>();
  // The failures whose stack traces are in the log.
  private final Set<String> tracedCauses = ConcurrentHashMap.newKeySet();
  // By path, when the log last said that the store cannot answer, in the time of System.nanoTime().
  private final Map<String, Long> unavailableLoggedAt = new ConcurrentHashMap<>();
  // By path, when a table was last found to fit its listing, in the time of System.nanoTime().
  private final Map<String, Long> lastFitAt = new ConcurrentHashMap<>();

  ListingFailures(Database database, UnreadableValues unreadableValues) {
    this.database = database;
    this.unreadableValues = unreadableValues;
  }

  /** Returns the refusal for a failure; empty for one that does not concern listings. */
  Optional<Denial> explain(RuntimeException failure, Listing listing, SignedRequest request) {
    String operation = operation(request, listing);
    boolean isCreation = request.method().equals("POST");
    return Optional.ofNullable(
        switch (failure) {
          case PageParameterException e -> explainParameters(e);
          case ListingException e ->
              explainMisfit(listing, operation)
                  .orElseGet(
                      () -> collectionUnavailable(operation, String.valueOf(e.getMessage())));
          case UnreadableValueException e ->
              explainMisfit(listing, operation).orElseGet(() -> explainUnreadable(e, !isCreation));
          case ListingStore.SkippedInsertException e ->
              explainMisfit(listing, operation).orElseGet(() -> explainSkippedInsert(listing, e));
          case StoreUnavailableException.CountTimeout e -> explainCountTimeout();
          case StoreUnavailableException e -> explainUnavailable(listing, request, e);
          case DataAccessException e -> explainRefusedStatement(listing, operation, isCreation, e);
          default -> null;
        });
  }

  /** Notes that a request to a listing was answered. */
  void noteAnswered(Listing listing, SignedRequest request) {
    if (!problems.isEmpty()) {
      logIfServedAgain(operation(request, listing));
    }
  }

  // HEAD is the operation GET without the body of its answer.
  private static String operation(SignedRequest request, Listing listing) {
    String method = request.method().equals("HEAD") ? "GET" : request.method();
    return method + " " + listing.path();
  }

  private static Denial explainParameters(PageParameterException failure) {
    Reason reason =
        switch (failure.reason()) {
          case PARAMETER_INVALID -> Reason.PARAMETER_INVALID;
          case PARAMETER_UNKNOWN -> Reason.PARAMETER_UNKNOWN;
        };
    return Denial.of(reason, String.valueOf(failure.getMessage()));
  }

  private Denial explainRefusedStatement(
      Listing listing, String operation, boolean isCreation, DataAccessException failure) {
    // Only a POST has values that can violate a rule.
    Optional<Violation> violation =
        isCreation ? database.dialect().violation(failure) : Optional.empty();
    return violation.isPresent()
        ? explainViolation(listing, operation, violation.get())
        : explainMisfit(listing, operation).orElseGet(() -> explainUnexpected(operation, failure));
  }

  private void logIfServedAgain(String operation) {
    if (problems.remove(operation) != null) {
      LOG.info("{} is served again", operation);
    }
  }

  private Denial explainViolation(Listing listing, String operation, Violation violation) {
    return switch (violation) {
      // The type of a column may have changed, or a column may have been added. A caller can cause
      // these violations, so the table is not examined for each of them.
      case VALUE, NOT_NULL ->
          wasFitWithin(listing, FIT_CHECK_INTERVAL)
              ? violationDenial(violation)
              : explainMisfit(listing, operation).orElseGet(() -> violationDenial(violation));
      case UNIQUE, CHECK, FOREIGN_KEY, POLICY -> violationDenial(violation);
    };
  }

  private boolean wasFitWithin(Listing listing, Duration interval) {
    Long at = lastFitAt.get(listing.path());
    return at != null && System.nanoTime() - at < interval.toNanos();
  }

  private Denial explainUnavailable(
      Listing listing, SignedRequest request, StoreUnavailableException failure) {
    logUnavailable(listing, failure);
    String advice = isFarPage(listing, request) ? ", or walk the list with after" : "";
    return Denial.of(Reason.OVERLOADED, "the store cannot answer at the moment; try again" + advice)
        .withHeader("Retry-After", "1");
  }

  // The database reads past all records before a numbered page, which may take it too long every
  // time.
  private static boolean isFarPage(Listing listing, SignedRequest request) {
    String query = request.rawQuery();
    if (query == null || request.method().equals("POST")) {
      return false;
    }
    PageRequest page = PageRequest.parse(query, listing.pageRules());
    return page.after() == null && page.offset() >= ListingStore.NEAR_RECORDS;
  }

  // Each refused request is logged with its reason. If the database is lost, one line says so for
  // all listings.
  private void logUnavailable(Listing listing, StoreUnavailableException failure) {
    if (database.isUnreachable()) {
      return;
    }
    long now = System.nanoTime();
    Long loggedAt = unavailableLoggedAt.get(listing.path());
    if (loggedAt == null || now - loggedAt > LOG_INTERVAL.toNanos()) {
      unavailableLoggedAt.put(listing.path(), now);
      LOG.warn("cannot serve {} at the moment: {}", listing.path(), failure.getMessage());
    }
  }

  // Without Retry-After, because the next attempt would hardly be faster.
  private static Denial explainCountTimeout() {
    return Denial.of(
        Reason.TOTAL_UNAVAILABLE,
        "the list takes too long to count; add totals=none, which also works with after, or a"
            + " filter");
  }

  /**
   * Returns the refusal of a request because the listing's table was changed, for example because a
   * column was removed; empty if the table still fits. Only the operator can correct that.
   */
  private Optional<Denial> explainMisfit(Listing listing, String operation) {
    Optional<String> problem = ListingCatalog.tableProblem(listing, database);
    if (problem.isEmpty()) {
      lastFitAt.put(listing.path(), System.nanoTime());
    } else {
      lastFitAt.remove(listing.path());
    }
    return problem.map(found -> collectionUnavailable(operation, found));
  }

  private Denial collectionUnavailable(String operation, String problem) {
    // Every such request fails in the same way, so it is logged once.
    if (!problem.equals(problems.put(operation, problem))) {
      LOG.error("{} is refused now: {}", operation, problem);
    }
    return Denial.of(
        Reason.COLLECTION_UNAVAILABLE,
        "the table of the collection has changed; report this to the operator");
  }

  private Denial explainUnreadable(UnreadableValueException failure, boolean isStored) {
    UnreadableValues.Value value = failure.value();
    if (isStored) {
      unreadableValues.report(value);
    } else {
      LOG.error("cannot create a record of {}: {}", value.listing().path(), value);
    }
    return Denial.of(
        Reason.INTERNAL_ERROR,
        "a record has a value in "
            + value.field().name()
            + " that the service cannot read; report this to the operator");
  }

  private static Denial explainSkippedInsert(
      Listing listing, ListingStore.SkippedInsertException failure) {
    LOG.error("cannot serve {}: {}", listing.path(), failure.getMessage());
    return internalError();
  }

  private Denial explainUnexpected(String operation, DataAccessException failure) {
    // Every such request may fail in the same way, so the stack trace is logged once.
    String cause = cause(failure);
    if (tracedCauses.size() < MAX_TRACES && tracedCauses.add(operation + " " + cause)) {
      LOG.error("the database refuses a statement of {}", operation, failure);
    } else {
      LOG.error("the database refuses a statement of {}: {}", operation, cause);
    }
    return internalError();
  }

  private static Denial internalError() {
    return Denial.of(
        Reason.INTERNAL_ERROR,
        "the service cannot complete the request; report this to the operator");
  }

  private static String cause(DataAccessException failure) {
    return failure.getMostSpecificCause().toString().lines().findFirst().orElse("");
  }

  private static Denial violationDenial(Violation violation) {
    return switch (violation) {
      case UNIQUE -> invalid("another record already has a value that must be unique");
      case NOT_NULL -> invalid("a member that the collection requires is missing");
      case CHECK -> invalid("a value violates a rule of the collection");
      case FOREIGN_KEY -> invalid("a value refers to a record that does not exist");
      case VALUE -> invalid("a value is too large, too long or not among those of the collection");
      case POLICY ->
          Denial.of(
                  Reason.SCOPE_VIOLATION,
                  "a policy of the collection does not let this client create the record; ask the"
                      + " operator")
              .in(Check.AUTHORIZATION);
    };
  }

  static Denial invalid(String problem) {
    return Denial.of(Reason.BODY_INVALID, problem).withMember("errors", List.of(problem));
  }
}
