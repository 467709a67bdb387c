package dev.countersign.client;

import dev.countersign.pagination.Sort;
import java.net.URI;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Walks a list page by page. Each page is fetched when it is needed, and its request is signed,
 * including the query.
 *
 * <pre>{@code
 * for (Wallet wallet : client.list("/ledger/v1/wallets", Wallet.class).items()) { … }
 * }</pre>
 *
 * <p>A walk is immutable. Each {@code Iterable} and {@code Stream} starts again from the beginning.
 *
 * <p>If the service offers a cursor, the walk requests the next page by this cursor and without
 * totals. It then returns every record that keeps its place in the list exactly once, whatever is
 * inserted or deleted meanwhile. A record whose sort values change may be returned twice, or not at
 * all. If the sort values of a record are very long, its cursor holds only the record's key; if
 * that record is deleted before the next page is read, the walk ends with {@code
 * parameter_invalid}.
 *
 * <p>Other pages are requested by offset and size. The walk ends at the first page that says it is
 * the last or that has no records, so it ends correctly even if the list grows or shrinks in the
 * meantime. If the list grows, the walk skips records that it has already returned from the
 * previous page; if the list grows by more than a page, some records may be returned twice. If the
 * list shrinks, the walk goes back, by at most a page, to the last record that it returned, and
 * continues from there. If the list lost more than a page of records, and the walk finds no record
 * of the page that it returned last, it cannot tell where to continue. It then throws a {@link
 * CountersignException} with the reason {@code list_changed}. The message gives an offset at which
 * you can safely continue if the list gained no records. If a list gains records while it loses
 * others, the walk may not notice the loss.
 *
 * <p>Other errors have these reasons: {@code page_unexpected} when the page is not the requested
 * page; {@code page_repeated} when a page has the content of the previous page although the list
 * did not grow, when two pages in a row have no new records, or when a page leads to itself; {@code
 * answer_malformed} when the answer is not a page.
 *
 * @param <T> the type of a record
 */
public sealed class PageWalk<T> permits RangeWalk {
  private final PageSource<T> source;
  private final ListQuery query;
  private final long limit;
  private final boolean fetchesAhead;

  private PageWalk(PageSource<T> source, ListQuery query, long limit, boolean fetchesAhead) {
    this.source = source;
    this.query = query;
    this.limit = limit;
    this.fetchesAhead = fetchesAhead;
  }

  PageWalk(PageWalk<T> other) {
    this(other.source, other.query, other.limit, other.fetchesAhead);
  }

  static <T> PageWalk<T> of(PageSource<T> source, URI list) {
    return new PageWalk<>(source, ListQuery.of(list), Long.MAX_VALUE, false);
  }

  /**
   * Sets the number of records per page. A larger size needs fewer requests; the records are the
   * same. The default is the size in the query of the list, or 100 if the query has no size. The
   * size also decides at which record {@link #fromPage} starts.
   *
   * @param size 1 to 100
   * @throws IllegalArgumentException when the size is out of that range
   */
  public PageWalk<T> withSize(int size) {
    if (size < 1 || size > ListQuery.MAX_SIZE) {
      throw new IllegalArgumentException("size must be 1 to 100, was " + size);
    }
    return new PageWalk<>(source, query.withSize(size), limit, fetchesAhead);
  }

  /**
   * Ends the walk after this many records, and then fetches no further page.
   *
   * @throws IllegalArgumentException when the limit is negative
   */
  public PageWalk<T> withLimit(long items) {
    if (items < 0) {
      throw new IllegalArgumentException("a limit must not be negative, was " + items);
    }
    return new PageWalk<>(source, query, items, fetchesAhead);
  }

  /**
   * Sets the order, which replaces any order in the query of the list. The first sort takes
   * precedence.
   */
  public PageWalk<T> withSort(Sort... sorts) {
    return new PageWalk<>(source, query.withSorts(List.of(sorts)), limit, fetchesAhead);
  }

  /**
   * Begins a filter on a field of the records: {@code where("status").in("COMPLETED", "REVERSED")}.
   * The walk returns the records that satisfy all filters, and offsets, pages and totals count
   * these records only. Filters in the query of the list are kept as written, and cannot be added
   * here again.
   *
   * @param field the name of a member of the records, in the spelling of the service
   * @throws IllegalArgumentException when the name is empty, contains a dot, or is that of a
   *     parameter for paging
   */
  public FieldFilter<T> where(String field) {
    return new FieldFilter<>(this, field);
  }

  /** Returns a copy that sends this parameter once for each value. */
  PageWalk<T> withFilter(String parameter, List<String> values) {
    return new PageWalk<>(source, query.withFilter(parameter, values), limit, fetchesAhead);
  }

  /**
   * Starts at this offset, the number of records to skip, such as {@link ListPage#nextOffset()}.
   *
   * @throws IllegalArgumentException when the offset is negative
   */
  public PageWalk<T> fromOffset(long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("an offset must not be negative, was " + offset);
    }
    return new PageWalk<>(source, query.withOffset(offset), limit, fetchesAhead);
  }

  /**
   * Starts at this page. The page size is the one in effect when the walk starts, so {@link
   * #withSize} may be called before or after.
   *
   * @param page the number of the page, 0 for the first
   * @throws IllegalArgumentException when the number is negative
   */
  public PageWalk<T> fromPage(int page) {
    if (page < 0) {
      throw new IllegalArgumentException("a page must not be negative, was " + page);
    }
    return new PageWalk<>(source, query.withPage(page), limit, fetchesAhead);
  }

  /**
   * Starts after the record that a cursor names, such as {@link ListPage#cursor()} of another walk
   * with the same sorts and filters. An empty text starts at the beginning of the list. Only
   * services that offer cursors accept it; they refuse the cursor of another list, sort or filter
   * with {@code parameter_invalid}.
   */
  public PageWalk<T> after(String cursor) {
    return new PageWalk<>(source, query.withCursor(cursor), limit, fetchesAhead);
  }

  /**
   * Asks the service not to count the list, for a list whose count takes too long ({@code
   * total_unavailable}). {@link ListPage#totalElements()} is then empty. By default, the service
   * counts the list for the first page and, if it offers no cursors, for all others.
   */
  public PageWalk<T> withoutTotals() {
    return new PageWalk<>(source, query.withoutTotals(), limit, fetchesAhead);
  }

  /**
   * Fetches one page ahead, on a separate thread, while the caller processes the current page.
   * Close the stream if you leave it early. An iterator that is left early cancels its fetch when
   * it is garbage-collected.
   */
  public PageWalk<T> withFetchAhead() {
    return new PageWalk<>(source, query, limit, true);
  }

  /** Returns the records. */
  public Iterable<T> items() {
    return () -> new RecordIterator<>(walk());
  }

  /** Returns the records. */
  public Stream<T> stream() {
    return stream(RecordIterator::new);
  }

  /** Returns the pages. The last one is cut short if the limit ends the walk within it. */
  public Iterable<ListPage<T>> pages() {
    return this::walk;
  }

  /** Returns the pages. The last one is cut short if the limit ends the walk within it. */
  public Stream<ListPage<T>> pageStream() {
    return stream(pageIterator -> pageIterator);
  }

  private PageIterator<T> walk() {
    return new PageIterator<>(source, query, limit, fetchesAhead);
  }

  private <E> Stream<E> stream(Function<PageIterator<T>, Iterator<E>> elements) {
    PageIterator<T> pageIterator = walk();
    int flags = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(elements.apply(pageIterator), flags), false)
        .onClose(pageIterator::close);
  }

  /** Iterates over the records of pages, one after the other. */
  private static final class RecordIterator<T> implements Iterator<T> {
    private final PageIterator<T> pageIterator;
    private Iterator<T> page = Collections.emptyIterator();

    RecordIterator(PageIterator<T> pageIterator) {
      this.pageIterator = pageIterator;
    }

    @Override
    public boolean hasNext() {
      while (!page.hasNext() && pageIterator.hasNext()) {
        page = pageIterator.next().content().iterator();
      }
      return page.hasNext();
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException("the list has ended");
      }
      return page.next();
    }
  }
}
