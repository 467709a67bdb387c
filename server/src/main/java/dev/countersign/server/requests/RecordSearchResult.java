package dev.countersign.server.requests;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of requests, newest first.
 *
 * @param requests the requests found
 * @param next the value of {@code before} for the next search; null if there are no more requests
 * @param searchedBackTo the time of the oldest request that the search read, if it reached its
 *     limit of rows before the page was full; otherwise null
 */
public record RecordSearchResult(
    List<RequestRecord> requests, @Nullable Long next, @Nullable Instant searchedBackTo) {
  public RecordSearchResult {
    requests = List.copyOf(requests);
  }
}
