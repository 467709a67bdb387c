package dev.countersign.client;

import java.util.List;

/**
 * One page of a list, as the service's envelope describes it.
 *
 * @param content the records, in the list's order; cut short where a limit ends the walk on this
 *     page
 * @param offset how many records of the list stand before the first one here: more than before the
 *     page where the list grew and the page began with records that came before
 * @param number of the page, 0 for the first: offset divided by size
 * @param size the most records a page has, 1 to 100
 * @param totalElements the records of the whole list when this page was read
 * @param totalPages the pages that makes
 * @param first whether the list begins here
 * @param last whether no page follows
 */
public record ListPage<T>(
    List<T> content,
    long offset,
    int number,
    int size,
    long totalElements,
    int totalPages,
    boolean first,
    boolean last) {

  /** Takes a copy of the content. */
  public ListPage {
    content = List.copyOf(content);
  }

  /** Where to resume: give it to {@link PageWalk#fromOffset(long)} once this page is dealt with. */
  public long nextOffset() {
    return offset + content.size();
  }
}
