package dev.countersign.server.requests;

import java.util.List;

/**
 * The requests recorded since an id, oldest first.
 *
 * @param requests those that the filter takes
 * @param next the id to go on after; it passes by those that the filter does not take
 */
public record RequestTail(List<RequestRecord> requests, long next) {
  public RequestTail {
    requests = List.copyOf(requests);
  }
}
