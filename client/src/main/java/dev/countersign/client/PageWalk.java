package dev.countersign.client;

import dev.countersign.pagination.Sort;
import java.net.URI;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A list to be walked, page by page, each fetched when it is needed and signed with all that its
 * address says.
 *
 * <pre>{@code
 * for (Wallet wallet : client.list("/ledger/v1/wallets", Wallet.class).items()) { … }
 * }</pre>
 *
 * <p>It is immutable, and each {@code Iterable} and {@code Stream} is a walk of its own from the
 * start. A walk goes by offset and size, and ends at the page that says it is the last or has no
 * records, so that a list which shrinks or grows under way ends as well.
 *
 * <p>Where it grew, records of the page before that come again at the head of the next are left
 * out; where it grew by more than a page, some may come twice. Where it shrank, the walk goes back
 * to the record that it passed on last, up to a page, and on from there. When that record and those
 * of its page are gone, and more than a page with them, no offset is certain not to leave out
 * others: that is a {@link CountersignException} with the reason {@code list_changed}, whose
 * message has the offset to go on at. What a list loses while it also gains may go unnoticed.
 *
 * <p>A page other than the one asked for has the reason {@code page_unexpected}; one with the
 * content of the page before, while the list did not grow, and a second page in a row with nothing
 * new, {@code page_repeated}; an answer that is no page, {@code answer_malformed}.
 *
 * @param <T> a record of the list
 */
public final class PageWalk<T> {
  private final PageSource<T> source;
  private final ListQuery query;
  private final long limit;
  private final boolean ahead;

  private PageWalk(PageSource<T> source, ListQuery query, long limit, boolean ahead) {
    this.source = source;
    this.query = query;
    this.limit = limit;
    this.ahead = ahead;
  }

  static <T> PageWalk<T> of(PageSource<T> source, URI list) {
    return new PageWalk<>(source, ListQuery.of(list), Long.MAX_VALUE, false);
  }

  /**
   * This walk with so many records a page: how many requests it takes, not how many records it
   * gives; and how many records stand before a page to begin with. Without it, what the address
   * says, else 100.
   *
   * @param size 1 to 100
   * @throws IllegalArgumentException when it is out of that range
   */
  public PageWalk<T> withSize(int size) {
    if (size < 1 || size > ListQuery.MOST) {
      throw new IllegalArgumentException("size must be 1 to 100, was " + size);
    }
    return new PageWalk<>(source, query.withSize(size), limit, ahead);
  }

  /**
   * This walk, ended after so many records. Pages that are not needed for them are not fetched.
   *
   * @throws IllegalArgumentException when it is negative
   */
  public PageWalk<T> withLimit(long items) {
    if (items < 0) {
      throw new IllegalArgumentException("a limit must not be negative, was " + items);
    }
    return new PageWalk<>(source, query, items, ahead);
  }

  /** This walk in this order, in place of any that the address has; the first sort decides. */
  public PageWalk<T> withSort(Sort... sorts) {
    return new PageWalk<>(source, query.withSorts(List.of(sorts)), limit, ahead);
  }

  /**
   * This walk from the record before which so many stand, such as a {@link ListPage#nextOffset()}.
   *
   * @throws IllegalArgumentException when it is negative
   */
  public PageWalk<T> fromOffset(long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("an offset must not be negative, was " + offset);
    }
    return new PageWalk<>(source, query.withOffset(offset), limit, ahead);
  }

  /**
   * This walk from a page of its size, whether that is set before or after.
   *
   * @param page 0 for the first
   * @throws IllegalArgumentException when it is negative
   */
  public PageWalk<T> fromPage(int page) {
    if (page < 0) {
      throw new IllegalArgumentException("a page must not be negative, was " + page);
    }
    return new PageWalk<>(source, query.withPage(page), limit, ahead);
  }

  /**
   * This walk, which fetches one page ahead on a thread of its own while the one before is dealt
   * with. Close the stream where it is left early; what an iterator fetches that is left is
   * cancelled when the iterator is collected.
   */
  public PageWalk<T> withFetchAhead() {
    return new PageWalk<>(source, query, limit, true);
  }

  /** The records. */
  public Iterable<T> items() {
    return () -> new Items<>(walk());
  }

  /** The records. */
  public Stream<T> stream() {
    return stream(Items::new);
  }

  /** The pages, of which the last is cut where the limit ends the walk. */
  public Iterable<ListPage<T>> pages() {
    return this::walk;
  }

  /** The pages, of which the last is cut where the limit ends the walk. */
  public Stream<ListPage<T>> pageStream() {
    return stream(pages -> pages);
  }

  private Pages<T> walk() {
    return new Pages<>(source, query, limit, ahead);
  }

  private <E> Stream<E> stream(Function<Pages<T>, Iterator<E>> elements) {
    Pages<T> pages = walk();
    int kind = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(elements.apply(pages), kind), false)
        .onClose(pages::cancel);
  }
}
