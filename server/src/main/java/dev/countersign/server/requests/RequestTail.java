package dev.countersign.server.requests;

import java.util.List;

/**
 * The requests recorded after an id, oldest first.
 *
 * @param requests the requests that match the filter
 * @param next the id to continue after; all requests after the given id and up to this id have been
 *     searched
 */
public record RequestTail(List<RequestRecord> requests, long next) {
  public RequestTail {
    requests = List.copyOf(requests);
  }
}
