package dev.countersign.server.requests;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of requests, newest first.
 *
 * @param requests the requests found
 * @param next the {@code before} of the next search; null if there are no more requests
 * @param searchedBackTo set if the search reached its limit of rows before the page was full:
 *     requests that ended before this time have not been searched yet
 */
public record RecordSearchResult(
    List<RequestRecord> requests, @Nullable Long next, @Nullable Instant searchedBackTo) {
  public RecordSearchResult {
    requests = List.copyOf(requests);
  }
}
