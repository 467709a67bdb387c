package dev.countersign.server.listings;

import dev.countersign.server.store.Dialect.SortPlan;
import org.jspecify.annotations.Nullable;

/**
 * A sort of a listing by one field, and whether an index serves it in both directions.
 *
 * @param field the field
 * @param isDeclared whether a request may name the field; if not, the field is the key, which
 *     orders the answers to requests without a sort
 * @param plan how the database puts the records in this order
 * @param advice what would let an index serve the sort, in words that the statement completes;
 *     empty if one does
 * @param statement the statement to run for this; null if there is none
 */
public record ServedSort(
    String field, boolean isDeclared, SortPlan plan, String advice, @Nullable String statement) {

  /** Returns whether an index serves the sort. */
  public boolean isServed() {
    return plan == SortPlan.INDEX;
  }

  /** Returns whether the database sorts the whole table for each page. */
  public boolean needsIndex() {
    return plan == SortPlan.SORT;
  }
}
