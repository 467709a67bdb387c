package dev.countersign.client;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A page as it came, and the answer that it came in. */
record FetchedPage(Answer answer, ListPage<JsonNode> page) {

  /** Whether nothing comes behind this page. */
  boolean isEnd() {
    return page.last() || page.content().isEmpty();
  }

  /**
   * The records that were not on the page before. Only a list that grew or shrank in between moves
   * records from one page to the next; in any other, two equal records are two.
   *
   * @throws CountersignException when it is the page before over again
   */
  List<JsonNode> newSince(ListPage<JsonNode> before) {
    List<JsonNode> content = page.content();
    boolean overlaps = page.offset() < before.offset() + before.size();
    if (!overlaps && !content.isEmpty() && content.equals(before.content())) {
      throw answer.unusable(
          "page_repeated",
          "the page at offset "
              + page.offset()
              + " has the records of the page at offset "
              + before.offset()
              + " over again; begin anew, or ask the service's operator why");
    }
    if (!overlaps && page.totalElements() == before.totalElements()) {
      return content;
    }
    Set<JsonNode> known = new HashSet<>(before.content());
    return content.stream().filter(item -> !known.contains(item)).toList();
  }
}
