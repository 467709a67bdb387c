package dev.countersign.server.portal.requests;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the table, newest first.
 *
 * @param older the value of {@code before} for the next older page; null if there is none
 * @param newer the value of {@code after} for the next newer page; null if this is the newest page
 * @param searchedBackTo the time of the oldest request that the search read before it reached its
 *     limit; null if the search did not reach its limit
 */
record TablePart(
    List<RequestRow> rows,
    @Nullable Long older,
    @Nullable Long newer,
    @Nullable Instant searchedBackTo) {
  static final TablePart EMPTY = new TablePart(List.of(), null, null, null);

  public @Nullable String searchedBackToInWords() {
    return searchedBackTo == null ? null : RequestRow.inWords(searchedBackTo);
  }
}
