package dev.countersign.client;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One walk over a list: by cursors where the service offers them, and otherwise by offset. */
final class PageIterator<T> implements Iterator<ListPage<T>> {
  private final PageSource<T> source;
  private final ListQuery query;
  private final FetchAhead ahead;
  private final OffsetWalk offsetWalk = new OffsetWalk();
  private NextPage next;
  private long remaining;
  private boolean began;
  private boolean ended;
  private @Nullable ListPage<T> ready;

  PageIterator(PageSource<T> source, ListQuery query, long limit, boolean fetchesAhead) {
    this.source = source;
    this.query = query;
    this.ahead = fetchesAhead ? FetchAhead.of(this) : FetchAhead.none();
    this.next = query.first();
    this.remaining = limit;
    this.ended = limit == 0;
  }

  /**
   * Ends the walk. Cancels the fetch in progress if it runs ahead. Any thread may call this while
   * another one walks.
   */
  void close() {
    ahead.close();
  }

  @Override
  public boolean hasNext() {
    while (ready == null && !ended && !ahead.isClosed()) {
      advance();
    }
    return ready != null && !ahead.isClosed();
  }

  @Override
  public ListPage<T> next() {
    // A page for which hasNext() returned true is returned even if the walk was closed since.
    ListPage<T> page = ready != null || hasNext() ? ready : null;
    if (page == null) {
      throw new NoSuchElementException("the list has ended");
    }
    ready = null;
    return page;
  }

  private void advance() {
    // If this method fails, the walk must not continue, because records would be missing.
    ended = true;
    FetchedPage fetched = fetchNext();
    List<JsonNode> content = fetched.page().content();
    List<Integer> positionsOfNewRecords =
        next.isByCursor() ? fetched.positions() : offsetWalk.advanceAndFindNewRecords(fetched);
    int count = (int) Math.min(remaining, positionsOfNewRecords.size());
    int consumedOnPage =
        count < positionsOfNewRecords.size() ? positionsOfNewRecords.get(count) : content.size();
    List<JsonNode> records =
        positionsOfNewRecords.subList(0, count).stream().map(content::get).toList();
    ListPage<T> page = source.convert(fetched, records, consumedOnPage);
    // An empty list still has one page.
    ready = count > 0 || !began ? page : null;
    began = true;
    remaining -= count;
    next = pageAfter(fetched.page());
    ended = fetched.isEnd() || remaining == 0;
    if (!ended) {
      ahead.begin(fetcherOf(next));
    }
  }

  private FetchedPage fetchNext() {
    FetchedPage fetched = ahead.take(fetcherOf(next));
    return next.isByCursor()
        ? fetched
        : offsetWalk.refetchIfShrunk(
            fetched, offset -> fetcherOf(NextPage.at(offset, next.wantsTotals())).get());
  }

  private NextPage pageAfter(ListPage<JsonNode> page) {
    return page.cursor()
        .map(cursor -> NextPage.following(page, cursor))
        .orElseGet(() -> NextPage.at(offsetWalk.nextOffset(), next.wantsTotals()));
  }

  /**
   * Creates a supplier that fetches a page. It does not reference this walk, so that the walk can
   * be garbage-collected while the page is being fetched.
   */
  private Supplier<FetchedPage> fetcherOf(NextPage page) {
    return fetcherOf(source, query, page);
  }

  private static Supplier<FetchedPage> fetcherOf(
      PageSource<?> source, ListQuery query, NextPage page) {
    return () -> source.fetch(query, page);
  }
}
