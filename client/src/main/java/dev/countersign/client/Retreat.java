package dev.countersign.client;

import java.util.function.LongFunction;

/**
 * Finds the place again in a list that shrank since a page of it was read: the records that come
 * next may have moved up past the offset where they stood.
 *
 * @param pages by their offset
 */
record Retreat(Passed before, LongFunction<FetchedPage> pages) {

  /**
   * A page on which, and in front of which, none of the records is left out that come next.
   *
   * @param total how many records the list had when it was seen to have shrunk
   * @throws CountersignException with {@code list_changed} when neither a known record nor the
   *     totals tell where to go on
   */
  FetchedPage find(long total) {
    // One record further back, which should be the one passed on last: what follows it on the same
    // page comes next, whatever the list loses meanwhile.
    long place = before.stoodStill() ? before.end() : before.earliest(total);
    long start = before.page().offset();
    FetchedPage near = pages.apply(Math.max(start, place - 1));
    if (isKnown(near)) {
      return near;
    }
    // It shrank once more in between, or grew as well.
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
