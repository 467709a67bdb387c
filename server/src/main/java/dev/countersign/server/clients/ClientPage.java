package dev.countersign.server.clients;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the clients that a search has found.
 *
 * @param found those of this page
 * @param number which page it is, counted from 0
 * @param size how many there are on a full page
 * @param total how many were found on all pages
 */
public record ClientPage(List<Found> found, int number, int size, long total) {

  public ClientPage {
    found = List.copyOf(found);
  }

  /** How many pages there are; one where nothing was found. */
  public int pages() {
    return (int) Math.max(1, (total + size - 1) / size);
  }

  /**
   * A client that was found.
   *
   * @param lastUsedAt when one of its keys last verified a request; null for never
   */
  public record Found(Client client, @Nullable Instant lastUsedAt) {}
}
