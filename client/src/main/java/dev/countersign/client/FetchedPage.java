package dev.countersign.client;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** A page as received, and the answer that contained it. */
record FetchedPage(FinalResponse answer, ListPage<JsonNode> page) {

  /** Returns whether no page follows this one. */
  boolean isEnd() {
    return page.last() || page.content().isEmpty();
  }

  /** The positions of the page's records, from 0. */
  List<Integer> positions() {
    return IntStream.range(0, page.content().size()).boxed().toList();
  }

  /**
   * The positions of the new records on this page: those that the walk has not returned yet. A
   * returned record can appear again only if the list grew or shrank between the two requests.
   * Otherwise, every record of this page is new, even if it equals a returned one.
   *
   * @return positions from 0, ascending
   * @throws CountersignException with {@code page_repeated} when the previous page was returned
   *     again
   */
  List<Integer> newSince(ListPosition before) {
    boolean overlaps = page.offset() < before.end();
    boolean isSteady = page.totalElements() == before.page().totalElements();
    if (!overlaps && isSteady && !before.stoodStill()) {
      requireAnother(before.page());
      return positions();
    }
    // The records before this position were either returned already or added too late to be
    // returned.
    int first = overlaps ? before.placeOn(page.content()) + 1 : 0;
    Set<JsonNode> known = before.known();
    return positions().stream()
        .filter(at -> at >= first && !known.contains(page.content().get(at)))
        .toList();
  }

  /**
   * Rejects a page that repeats the previous page, unless all records of the page are equal to each
   * other.
   */
  private void requireAnother(ListPage<JsonNode> before) {
    boolean mayBeEqual =
        page.offset() < page.totalElements() && new HashSet<>(page.content()).size() == 1;
    if (!page.content().isEmpty() && !mayBeEqual && page.content().equals(before.content())) {
      throw repeated(before);
    }
  }

  /** The exception for the second page in a row without new records. */
  CountersignException withoutProgress(ListPosition before) {
    return page.totalElements() < before.page().totalElements()
        ? changed(before, page.totalElements())
        : repeated(before.page());
  }

  private CountersignException repeated(ListPage<JsonNode> before) {
    return answer.unusable(
        "page_repeated",
        "the page at offset "
            + page.offset()
            + " repeats the records of the page at offset "
            + before.offset()
            + "; start again, or ask the service's operator why");
  }

  /**
   * The exception for a list that shrank so much that the walk cannot tell where to continue.
   *
   * @param total the smallest total number of records that any page reported
   */
  CountersignException changed(ListPosition before, long total) {
    return answer.unusable(
        "list_changed",
        "the list shrank from "
            + before.page().totalElements()
            + " to "
            + total
            + " records during the walk, so it is uncertain where to continue; start again, or, if"
            + " the list gained no records, continue at offset "
            + before.earliest(total)
            + " (some records may then be returned twice)");
  }
}
