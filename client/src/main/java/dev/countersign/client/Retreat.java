package dev.countersign.client;

import java.util.function.LongFunction;

/**
 * Finds the place again in a list that shrank since the last page was read. The next records may
 * have moved to an earlier offset.
 *
 * @param pages fetches the page at an offset
 */
record Retreat(Passed before, LongFunction<FetchedPage> pages) {

  /**
   * Returns a page at or before the next unread record.
   *
   * @param total number of records in the list when the walk noticed that it had shrunk
   * @throws CountersignException with {@code list_changed} when neither a known record nor the
   *     totals tell where to continue
   */
  FetchedPage find(long total) {
    // Start one record early. That record should be the last one returned, and what follows it on
    // the same page comes next, whatever the list loses meanwhile.
    long place = before.stoodStill() ? before.end() : before.earliest(total);
    long start = before.page().offset();
    FetchedPage near = pages.apply(Math.max(start, place - 1));
    if (isKnown(near)) {
      return near;
    }
    // The list shrank again in between, or grew as well.
    FetchedPage far = near.page().offset() == start ? near : pages.apply(start);
    long least = Math.min(total, Math.min(near.page().totalElements(), far.page().totalElements()));
    if (isKnown(far) || Math.min(start, least) <= before.earliest(least)) {
      return far;
    }
    throw far.changed(before, least);
  }

  private boolean isKnown(FetchedPage found) {
    return before.placeOn(found.page().content()) >= 0;
  }
}
