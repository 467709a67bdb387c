package dev.countersign.client;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The place of a walk by offset in a list that may change between two pages. Recognizes the records
 * that the walk has already returned, finds the place again after the list shrank, and rejects
 * pages with which the walk would never end. A walk by cursors needs none of this.
 */
final class OffsetWalk {
  private @Nullable ListPage<JsonNode> page;

  /**
   * The records of the page, followed, if none of them was new, by the records of earlier pages,
   * back to the latest page that had new ones. The last element is the record that the walk
   * returned last.
   */
  private List<JsonNode> records = List.of();

  private long total;

  /** The offset after the page that was passed last. */
  long end() {
    return page == null ? 0 : page.offset() + page.size();
  }

  /**
   * Returns the fetched page or, if the list shrank since the previous page was read, a page at or
   * before the next unread record: the next records may have moved to an earlier offset.
   *
   * @param pages fetches the page at an offset
   * @throws CountersignException with {@code list_changed} when neither a known record nor the
   *     totals tell where to continue
   */
  FetchedPage inPlace(FetchedPage fetched, LongFunction<FetchedPage> pages) {
    ListPage<JsonNode> before = page;
    long left = total(fetched);
    if (before == null || left >= total) {
      return fetched;
    }
    // Start one record early, where the record returned last should be now. The records that follow
    // it on the same page are the next ones, even if the list loses more records meanwhile.
    long place = unchanged() ? end() : earliest(left);
    long start = before.offset();
    FetchedPage near = pages.apply(Math.max(start, place - 1));
    if (hasKnown(near)) {
      return near;
    }
    // The list shrank again in between, or grew as well.
    FetchedPage far = near.page().offset() == start ? near : pages.apply(start);
    long least = Math.min(left, Math.min(total(near), total(far)));
    if (hasKnown(far) || Math.min(start, least) <= earliest(least)) {
      return far;
    }
    throw changed(far, least);
  }

  /**
   * Passes a page, and returns the positions of its new records: those that the walk has not
   * returned yet. A returned record can appear again only if the list grew or shrank between the
   * two requests. Otherwise, every record of the page is new, even if it equals a returned one.
   *
   * @return positions from 0, ascending
   * @throws CountersignException with {@code page_repeated} when the previous page was returned
   *     again, or two pages in a row have no new records
   */
  List<Integer> pass(FetchedPage fetched) {
    List<Integer> fresh = newOn(fetched);
    // A walk might otherwise never end.
    if (fresh.isEmpty() && unchanged() && !fetched.isEnd()) {
      throw total(fetched) < total ? changed(fetched, total(fetched)) : repeated(fetched);
    }
    List<JsonNode> content = fetched.page().content();
    records =
        page == null || !fresh.isEmpty()
            ? content
            : Stream.concat(content.stream(), records.stream()).toList();
    total = total(fetched);
    page = fetched.page();
    return fresh;
  }

  private List<Integer> newOn(FetchedPage fetched) {
    List<JsonNode> content = fetched.page().content();
    boolean overlaps = fetched.page().offset() < end();
    if (page == null || (!overlaps && total(fetched) == total && !unchanged())) {
      requireAnother(fetched);
      return fetched.positions();
    }
    // The records before this position were either returned already or added too late to be
    // returned.
    int first = overlaps ? indexIn(content) + 1 : 0;
    Set<JsonNode> known = new HashSet<>(records);
    return fetched.positions().stream()
        .filter(at -> at >= first && !known.contains(content.get(at)))
        .toList();
  }

  /**
   * Rejects a page that repeats the previous page, unless all records of the page are equal to each
   * other.
   */
  private void requireAnother(FetchedPage fetched) {
    List<JsonNode> content = fetched.page().content();
    boolean mayBeEqual =
        fetched.page().offset() < total(fetched) && new HashSet<>(content).size() == 1;
    if (page != null && !content.isEmpty() && !mayBeEqual && content.equals(page.content())) {
      throw repeated(fetched);
    }
  }

  /** Returns whether the page that was passed last had nothing new. */
  private boolean unchanged() {
    return page != null && records.size() > page.content().size();
  }

  /** A page without a total does not tell that the list has changed. */
  private long total(FetchedPage fetched) {
    return fetched.page().totalElements().orElse(total);
  }

  /**
   * The smallest offset at which the record after the page may be now, assuming that every lost
   * record stood before it.
   *
   * @param left number of records that are left
   */
  private long earliest(long left) {
    return Math.max(0, end() - Math.max(0, total - left));
  }

  private boolean hasKnown(FetchedPage found) {
    return indexIn(found.page().content()) >= 0;
  }

  /**
   * The index of the record that was returned last in the content of another page. If that record
   * is missing, the index of the last known record there, or -1 if there is none.
   */
  private int indexIn(List<JsonNode> content) {
    int last = content.indexOf(records.get(records.size() - 1));
    if (last >= 0) {
      return last;
    }
    Set<JsonNode> known = new HashSet<>(records);
    int at = content.size() - 1;
    while (at >= 0 && !known.contains(content.get(at))) {
      at--;
    }
    return at;
  }

  private CountersignException repeated(FetchedPage fetched) {
    return fetched
        .answer()
        .unusable(
            "page_repeated",
            "the page at offset "
                + fetched.page().offset()
                + " repeats the records of the page at offset "
                + (page == null ? 0 : page.offset())
                + "; start again, or ask the service's operator why");
  }

  /**
   * The exception for a list that shrank so much that the walk cannot tell where to continue.
   *
   * @param left the smallest total number of records that any page reported
   */
  private CountersignException changed(FetchedPage fetched, long left) {
    return fetched
        .answer()
        .unusable(
            "list_changed",
            "the list shrank from "
                + total
                + " to "
                + left
                + " records during the walk, so it is uncertain where to continue; start again, or,"
                + " if the list gained no records, continue at offset "
                + earliest(left)
                + " (some records may then be returned twice)");
  }
}
