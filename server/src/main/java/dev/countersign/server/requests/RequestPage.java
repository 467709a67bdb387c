package dev.countersign.server.requests;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some requests, newest first.
 *
 * @param requests what was found
 * @param next where to go on, as {@code before} of the next search; null where there is no more
 * @param searchedBackTo set where the search ended before the page was full because it had looked
 *     at enough: the requests of before this time are still to be searched
 */
public record RequestPage(
    List<RequestRecord> requests, @Nullable Long next, @Nullable Instant searchedBackTo) {
  public RequestPage {
    requests = List.copyOf(requests);
  }
}
