package dev.countersign.server.clients;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the clients that a search has found.
 *
 * @param found the clients on this page
 * @param number the number of this page, counted from 0
 * @param size the number of clients on a full page
 * @param total the number of clients on all pages
 */
public record ClientSearchResult(List<Found> found, int number, int size, long total) {

  public ClientSearchResult {
    found = List.copyOf(found);
  }

  /** Returns the number of pages; one if nothing was found. */
  public int pages() {
    return (int) Math.max(1, (total + size - 1) / size);
  }

  /**
   * A client that was found.
   *
   * @param lastUsedAt when one of its keys last verified a request; null if none has
   */
  public record Found(Client client, @Nullable Instant lastUsedAt) {}
}
