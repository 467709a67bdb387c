package dev.countersign.client;

import java.util.List;

/**
 * One page of a list, as the service's envelope describes it.
 *
 * @param content the records in the list's order; cut short if a limit ends the walk on this page
 * @param offset the number of records in the list before the first record in {@code content}. If
 *     the list grew, the page may begin with records that the walk has already returned. They are
 *     left out of {@code content}, but counted here
 * @param number the number of the page, 0 for the first: the offset of the page divided by the size
 * @param size the maximum number of records on a page, 1 to 100
 * @param totalElements the number of records in the whole list when this page was read
 * @param totalPages the number of pages in the whole list
 * @param first whether this is the first page of the list
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
