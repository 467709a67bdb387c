package dev.countersign.client;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What a walk has just passed, by which it finds its place in a list that moves.
 *
 * @param page read last
 * @param records of that page; where it had nothing new, behind them those of the pages before,
 *     back to one that had. The last of them was the last to be passed on
 */
record Passed(ListPage<JsonNode> page, List<JsonNode> records) {

  static Passed of(ListPage<JsonNode> page) {
    return new Passed(page, page.content());
  }

  /** After one more page, which had nothing new. */
  Passed withNothingNew(ListPage<JsonNode> next) {
    return new Passed(next, Stream.concat(next.content().stream(), records.stream()).toList());
  }

  /** Whether the page had nothing new. */
  boolean stoodStill() {
    return records.size() > page.content().size();
  }

  /** The offset behind the page. */
  long end() {
    return page.offset() + page.size();
  }

  /**
   * The least offset at which the record behind the page may stand by now: had all that the list
   * lost stood in front of it.
   *
   * @param total how many records are left
   */
  long earliest(long total) {
    return Math.max(0, end() - Math.max(0, page.totalElements() - total));
  }

  Set<JsonNode> known() {
    return new HashSet<>(records);
  }

  /** Where on another page the record passed on last stands, else the last that is known; or -1. */
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
}
