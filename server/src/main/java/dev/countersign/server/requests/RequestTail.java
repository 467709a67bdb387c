package dev.countersign.server.requests;

import java.util.List;

/**
 * The requests recorded after a position, oldest first.
 *
 * @param requests the requests that match the filter
 * @param next the position to continue after: that of the newest request of each node
 * @param skipped how many older requests were left out, because there were more than the limit or
 *     because the position was too far back to look at all of them
 */
public record RequestTail(List<RequestRecord> requests, RequestPosition next, long skipped) {
  public RequestTail {
    requests = List.copyOf(requests);
  }
}
