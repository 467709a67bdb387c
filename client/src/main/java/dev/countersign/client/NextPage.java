package dev.countersign.client;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The page that a walk requests next.
 *
 * @param offset the number of records before the page; empty if only the service knows it, because
 *     the caller gave the cursor
 * @param cursor the cursor of the record before the page, empty text for the first page; absent if
 *     the page is requested by its offset
 * @param wantsTotals whether the service is to count the list
 */
record NextPage(OptionalLong offset, Optional<String> cursor, boolean wantsTotals) {

  static NextPage at(long offset, boolean wantsTotals) {
    return new NextPage(OptionalLong.of(offset), Optional.empty(), wantsTotals);
  }

  /** The page after a record whose cursor the caller gave. */
  static NextPage after(String cursor, boolean wantsTotals) {
    return new NextPage(OptionalLong.empty(), Optional.of(cursor), wantsTotals);
  }

  /** The page after another one, by the cursor that the service gave with that page. */
  static NextPage following(ListPage<?> page, String cursor) {
    return new NextPage(
        OptionalLong.of(page.offset() + page.content().size()), Optional.of(cursor), false);
  }

  boolean isByCursor() {
    return cursor.isPresent();
  }
}
