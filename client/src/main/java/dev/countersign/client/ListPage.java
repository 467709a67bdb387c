package dev.countersign.client;

import java.util.List;

/**
 * One page of a list, as the service's envelope describes it.
 *
 * @param content the records in the list's order; cut short if a limit ends the walk on this page
 * @param offset number of records in the list before the first one here. It is larger than the
 *     page's own offset if the list grew and the page began with records that the walk had already
 *     returned
 * @param number the number of the page, 0 for the first: offset divided by size
 * @param size the maximum number of records on a page, 1 to 100
 * @param totalElements number of records in the whole list when this page was read
 * @param totalPages number of pages in the whole list
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

  /**
   * The offset at which to resume: pass it to {@link PageWalk#fromOffset(long)} after processing
   * this page.
   */
  public long nextOffset() {
    return offset + content.size();
  }
}
