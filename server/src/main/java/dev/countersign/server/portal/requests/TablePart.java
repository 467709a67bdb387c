package dev.countersign.server.portal.requests;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the table, newest first.
 *
 * @param older the {@code before} of the next older page; null if there is none
 * @param newer the {@code after} of the next newer page; null if this is the newest
 * @param searchedBackTo set if the search stopped at this time because it reached its limit
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
