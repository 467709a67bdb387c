package dev.countersign.client;

import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** A page as received, and the response that contained it. */
record FetchedPage(FinalResponse response, ListPage<JsonNode> page) {

  /** Returns whether no page follows this one. */
  boolean isEnd() {
    return page.last() || page.content().isEmpty();
  }

  /** Returns the positions of the page's records, from 0. */
  List<Integer> positions() {
    return IntStream.range(0, page.content().size()).boxed().toList();
  }
}
