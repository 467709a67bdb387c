package dev.countersign.server.requests;

import java.util.List;

/**
 * The requests recorded after an id, oldest first.
 *
 * @param requests the requests that match the filter
 * @param next the id to continue after; it also skips requests that do not match the filter
 */
public record RequestTail(List<RequestRecord> requests, long next) {
  public RequestTail {
    requests = List.copyOf(requests);
  }
}
