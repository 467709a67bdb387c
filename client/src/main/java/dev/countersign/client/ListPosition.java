package dev.countersign.client;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The part of the list that a walk has just passed. If the list changes, the walk uses it to find
 * its place again.
 *
 * @param page the page read last
 * @param records the records of that page, followed, if none of them was new, by the records of
 *     earlier pages, back to the latest page that had new ones. The last element is the record that
 *     the walk returned last
 */
record ListPosition(ListPage<JsonNode> page, List<JsonNode> records) {

  static ListPosition of(ListPage<JsonNode> page) {
    return new ListPosition(page, page.content());
  }

  /** Returns the position after one more page that had nothing new. */
  ListPosition withNothingNew(ListPage<JsonNode> next) {
    return new ListPosition(
        next, Stream.concat(next.content().stream(), records.stream()).toList());
  }

  /** Returns whether the page had nothing new. */
  boolean stoodStill() {
    return records.size() > page.content().size();
  }

  /** The offset after the page. */
  long end() {
    return page.offset() + page.size();
  }

  /**
   * The smallest offset at which the record after the page may be now, assuming that every lost
   * record stood before it.
   *
   * @param total number of records that are left
   */
  long earliest(long total) {
    return Math.max(0, end() - Math.max(0, page.totalElements() - total));
  }

  Set<JsonNode> known() {
    return new HashSet<>(records);
  }

  /**
   * The index of the last returned record in the content of another page. If that record is
   * missing, the index of the last known record there, or -1 if there is none.
   */
  int placeOn(List<JsonNode> content) {
    int last = content.indexOf(records.get(records.size() - 1));
    if (last >= 0) {
      return last;
    }
    Set<JsonNode> known = known();
    int at = content.size() - 1;
    while (at >= 0 && !known.contains(content.get(at))) {
      at--;
    }
    return at;
  }

  /**
   * Returns a page at or before the next unread record, after the list shrank: the next records may
   * have moved to an earlier offset.
   *
   * @param total number of records in the list when the walk noticed that it had shrunk
   * @param pages fetches the page at an offset
   * @throws CountersignException with {@code list_changed} when neither a known record nor the
   *     totals tell where to continue
   */
  FetchedPage find(long total, LongFunction<FetchedPage> pages) {
    // Start one record early, where the record returned last should be now. The records that follow
    // it on the same page are the next ones, even if the list loses more records meanwhile.
    long place = stoodStill() ? end() : earliest(total);
    long start = page.offset();
    FetchedPage near = pages.apply(Math.max(start, place - 1));
    if (isKnown(near)) {
      return near;
    }
    // The list shrank again in between, or grew as well.
    FetchedPage far = near.page().offset() == start ? near : pages.apply(start);
    long least = Math.min(total, Math.min(near.page().totalElements(), far.page().totalElements()));
    if (isKnown(far) || Math.min(start, least) <= earliest(least)) {
      return far;
    }
    throw far.changed(this, least);
  }

  private boolean isKnown(FetchedPage found) {
    return placeOn(found.page().content()) >= 0;
  }
}
