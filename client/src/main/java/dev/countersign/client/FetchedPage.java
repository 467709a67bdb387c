package dev.countersign.client;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** A page as it came, and the answer that it came in. */
record FetchedPage(Answer answer, ListPage<JsonNode> page) {

  /** Whether nothing comes behind this page. */
  boolean isEnd() {
    return page.last() || page.content().isEmpty();
  }

  /** Where its records stand, from 0. */
  List<Integer> positions() {
    return IntStream.range(0, page.content().size()).boxed().toList();
  }

  /**
   * Where on this page the records stand that come behind those passed. Only a list that grew or
   * shrank in between moves records from one page to the next; in any other, two equal records are
   * two.
   *
   * @return from 0, ascending
   * @throws CountersignException with {@code page_repeated} when it is the page before over again
   */
  List<Integer> newSince(Passed before) {
    boolean overlaps = page.offset() < before.end();
    boolean isSteady = page.totalElements() == before.page().totalElements();
    if (!overlaps && isSteady && !before.stoodStill()) {
      requireAnother(before.page());
      return positions();
    }
    // What stands in front of the place was passed on, or came too late to be.
    int first = overlaps ? before.placeOn(page.content()) + 1 : 0;
    Set<JsonNode> known = before.known();
    return positions().stream()
        .filter(at -> at >= first && !known.contains(page.content().get(at)))
        .toList();
  }

  /** A list whose records are all equal has equal pages, up to its end. */
  private void requireAnother(ListPage<JsonNode> before) {
    boolean mayBeEqual =
        page.offset() < page.totalElements() && new HashSet<>(page.content()).size() == 1;
    if (!page.content().isEmpty() && !mayBeEqual && page.content().equals(before.content())) {
      throw repeated(before);
    }
  }

  /** The exception for the second page in a row that has nothing new. */
  CountersignException withoutProgress(Passed before) {
    return page.totalElements() < before.page().totalElements()
        ? changed(before, page.totalElements())
        : repeated(before.page());
  }

  private CountersignException repeated(ListPage<JsonNode> before) {
    return answer.unusable(
        "page_repeated",
        "the page at offset "
            + page.offset()
            + " has the records of the page at offset "
            + before.offset()
            + " over again; begin anew, or ask the service's operator why");
  }

  /**
   * The exception for a list that shrank so that the place in it is lost.
   *
   * @param total how many records it was seen to have at the least
   */
  CountersignException changed(Passed before, long total) {
    return answer.unusable(
        "list_changed",
        "the list shrank from "
            + before.page().totalElements()
            + " to "
            + total
            + " records under way, and where to go on is not certain; begin anew, or, if it gained"
            + " none, go on at offset "
            + before.earliest(total)
            + ", from where records may come again");
  }
}
