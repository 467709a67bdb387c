package dev.countersign.client;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The position of a walk by offset in a list that may change between two pages. Recognizes the
 * records that the walk has already returned, finds the position again after the list shrank, and
 * rejects pages with which the walk would never end. A walk by cursors needs none of this.
 */
final class OffsetWalk {
  private @Nullable ListPage<JsonNode> previousPage;

  /**
   * The records of the previous page. If none of them was new, the records of the pages before it
   * follow, back to the last page that had new records. The last element is the record that the
   * walk returned last.
   */
  private List<JsonNode> knownRecords = List.of();

  /** The total number of records that the previous page reported. */
  private long previousTotal;

  /** Returns the offset after the previous page; 0 before the first page. */
  long nextOffset() {
    return previousPage == null ? 0 : previousPage.offset() + previousPage.size();
  }

  /**
   * Returns the fetched page. If the list shrank since the previous page was read, fetches another
   * page instead, which begins at or before the next unread record: that record may have moved to
   * an earlier offset.
   *
   * @param fetchAt fetches the page at an offset
   * @throws CountersignException with {@code list_changed} when neither a known record nor the
   *     totals tell where to continue
   */
  FetchedPage refetchIfShrunk(FetchedPage fetched, LongFunction<FetchedPage> fetchAt) {
    ListPage<JsonNode> previous = previousPage;
    long total = total(fetched);
    if (previous == null || total >= previousTotal) {
      return fetched;
    }
    // Start one record early, where the record returned last should be now. The records that follow
    // it on the same page are the next ones, even if the list loses more records meanwhile.
    long likelyOffset = hadNoNewRecords() ? nextOffset() : lowestNextOffset(total);
    long start = previous.offset();
    FetchedPage likely = fetchAt.apply(Math.max(start, likelyOffset - 1));
    if (hasKnownRecord(likely)) {
      return likely;
    }
    // The list shrank again in between, or grew as well.
    FetchedPage earliest = likely.page().offset() == start ? likely : fetchAt.apply(start);
    long lowestTotal = Math.min(total, Math.min(total(likely), total(earliest)));
    if (hasKnownRecord(earliest) || Math.min(start, lowestTotal) <= lowestNextOffset(lowestTotal)) {
      return earliest;
    }
    throw listChanged(earliest, lowestTotal);
  }

  /**
   * Moves the walk past a page, and returns the positions of the page's new records: those that the
   * walk has not returned yet. A returned record can appear again only if the list grew or shrank
   * between the two requests. Otherwise, every record of the page is new, even if it equals a
   * returned one.
   *
   * @return positions from 0, ascending
   * @throws CountersignException with {@code page_repeated} when the service sends the previous
   *     page again, or two pages in a row have no new records
   */
  List<Integer> advanceAndFindNewRecords(FetchedPage fetched) {
    List<Integer> positionsOfNewRecords = positionsOfNewRecords(fetched);
    // A walk might otherwise never end.
    if (positionsOfNewRecords.isEmpty() && hadNoNewRecords() && !fetched.isEnd()) {
      throw total(fetched) < previousTotal
          ? listChanged(fetched, total(fetched))
          : pageRepeated(fetched);
    }
    List<JsonNode> content = fetched.page().content();
    knownRecords =
        previousPage == null || !positionsOfNewRecords.isEmpty()
            ? content
            : Stream.concat(content.stream(), knownRecords.stream()).toList();
    previousTotal = total(fetched);
    previousPage = fetched.page();
    return positionsOfNewRecords;
  }

  private List<Integer> positionsOfNewRecords(FetchedPage fetched) {
    List<JsonNode> content = fetched.page().content();
    boolean overlaps = fetched.page().offset() < nextOffset();
    boolean sameTotal = total(fetched) == previousTotal;
    if (previousPage == null || (!overlaps && sameTotal && !hadNoNewRecords())) {
      requireOtherThanPrevious(fetched);
      return fetched.positions();
    }
    // The records before this position were either returned already or added too late to be
    // returned.
    int first = overlaps ? lastKnownIndex(content) + 1 : 0;
    Set<JsonNode> known = new HashSet<>(knownRecords);
    return fetched.positions().stream()
        .filter(position -> position >= first && !known.contains(content.get(position)))
        .toList();
  }

  /**
   * Rejects a page with the records of the previous page, unless all these records equal each
   * other.
   */
  private void requireOtherThanPrevious(FetchedPage fetched) {
    List<JsonNode> content = fetched.page().content();
    boolean mayBeEqual =
        fetched.page().offset() < total(fetched) && new HashSet<>(content).size() == 1;
    if (previousPage != null
        && !content.isEmpty()
        && !mayBeEqual
        && content.equals(previousPage.content())) {
      throw pageRepeated(fetched);
    }
  }

  /** Returns whether there is a previous page, and none of its records was new. */
  private boolean hadNoNewRecords() {
    return previousPage != null && knownRecords.size() > previousPage.content().size();
  }

  /**
   * Returns the total number of records that a page reports. Without it, the list counts as
   * unchanged.
   */
  private long total(FetchedPage fetched) {
    return fetched.page().totalElements().orElse(previousTotal);
  }

  /**
   * Returns the lowest offset at which the record after the previous page may be now, assuming that
   * the list lost only records before it.
   *
   * @param total the number of records that the list has now
   */
  private long lowestNextOffset(long total) {
    return Math.max(0, nextOffset() - Math.max(0, previousTotal - total));
  }

  private boolean hasKnownRecord(FetchedPage fetched) {
    return lastKnownIndex(fetched.page().content()) >= 0;
  }

  /**
   * Returns the index, in the content of a page, of the record that the walk returned last. If the
   * content does not contain that record, returns the index of the last known record in it, or -1
   * if there is none.
   */
  private int lastKnownIndex(List<JsonNode> content) {
    int returnedLast = content.indexOf(knownRecords.get(knownRecords.size() - 1));
    if (returnedLast >= 0) {
      return returnedLast;
    }
    Set<JsonNode> known = new HashSet<>(knownRecords);
    int index = content.size() - 1;
    while (index >= 0 && !known.contains(content.get(index))) {
      index--;
    }
    return index;
  }

  private CountersignException pageRepeated(FetchedPage fetched) {
    return fetched
        .response()
        .unusable(
            "page_repeated",
            "the page at offset "
                + fetched.page().offset()
                + " repeats the records of the page at offset "
                + (previousPage == null ? 0 : previousPage.offset())
                + "; start again, or ask the service's operator why");
  }

  /**
   * Creates the exception for a list that shrank so much that the walk cannot tell where to
   * continue.
   *
   * @param lowestTotal the lowest total number of records that a page reported
   */
  private CountersignException listChanged(FetchedPage fetched, long lowestTotal) {
    return fetched
        .response()
        .unusable(
            "list_changed",
            "the list shrank from "
                + previousTotal
                + " to "
                + lowestTotal
                + " records during the walk, so it is uncertain where to continue; start again, or,"
                + " if the list gained no records, continue at offset "
                + lowestNextOffset(lowestTotal)
                + " (some records may then be returned twice)");
  }
}
