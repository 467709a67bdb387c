package dev.countersign.server.portal.requests;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is in the table, newest first.
 *
 * @param older where older ones are, as {@code before}; null where there are none
 * @param newer where newer ones are, as {@code after}; null where these are the newest
 * @param searchedBackTo set where the search came no further within its time
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
