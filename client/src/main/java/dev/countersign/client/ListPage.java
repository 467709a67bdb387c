package dev.countersign.client;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One page of a list, as the service's envelope describes it.
 *
 * @param content the records in the list's order; cut short if a limit ends the walk on this page
 * @param offset the number of records in the list before the first record in {@code content}. On a
 *     page requested by a cursor, it is the number of records that the walk has passed (a multiple
 *     of the size if the walk began with a cursor and the service leaves out {@code pageable}). If
 *     the list grew, a page requested by its offset may begin with records that the walk has
 *     already returned. They are left out of {@code content}, but counted here
 * @param number the number of the page, 0 for the first: the offset of the page divided by the size
 * @param size the maximum number of records on a page, 1 to 100
 * @param totalElements the number of records in the whole list when this page was read; empty if
 *     the list was not counted for this page
 * @param totalPages the number of pages in the whole list; empty if the list was not counted
 * @param first whether this is the first page of the list
 * @param last whether no page follows
 * @param cursor the cursor of the last record in {@code content}; empty if the service offers none
 *     for this page (it offers none for the last page), or if {@code content} is cut short
 */
public record ListPage<T>(
    List<T> content,
    long offset,
    long number,
    int size,
    OptionalLong totalElements,
    OptionalLong totalPages,
    boolean first,
    boolean last,
    Optional<String> cursor) {

  /** Takes a copy of the content. */
  public ListPage {
    content = List.copyOf(content);
  }

  /**
   * The offset at which to resume: pass it to {@link PageWalk#fromOffset(long)} after processing
   * this page. If the page has a {@link #cursor}, {@link PageWalk#after(String)} resumes more
   * exactly.
   */
  public long nextOffset() {
    return offset + content.size();
  }
}
