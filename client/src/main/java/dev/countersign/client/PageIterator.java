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
  private final OffsetWalk offsets = new OffsetWalk();
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

  /** Ends the walk and cancels the fetch in progress. */
  void cancel() {
    ended = true;
    ready = null;
    ahead.cancel();
  }

  @Override
  public boolean hasNext() {
    while (ready == null && !ended) {
      advance();
    }
    return ready != null;
  }

  @Override
  public ListPage<T> next() {
    while (ready == null && !ended) {
      advance();
    }
    ListPage<T> page = ready;
    if (page == null) {
      throw new NoSuchElementException("the list has ended");
    }
    ready = null;
    return page;
  }

  private void advance() {
    // If this method fails, the walk must not continue, because records would be missing.
    ended = true;
    FetchedPage fetched = nextPage();
    List<JsonNode> content = fetched.page().content();
    List<Integer> fresh = next.isByCursor() ? fetched.positions() : offsets.pass(fetched);
    int count = (int) Math.min(remaining, fresh.size());
    int passed = count < fresh.size() ? fresh.get(count) : content.size();
    List<JsonNode> records = fresh.subList(0, count).stream().map(content::get).toList();
    ListPage<T> read = source.read(fetched, records, passed);
    // An empty list still has one page.
    ready = count > 0 || !began ? read : null;
    began = true;
    remaining -= count;
    next = following(fetched.page());
    ended = fetched.isEnd() || remaining == 0;
    if (!ended) {
      ahead.begin(fetch(next));
    }
  }

  private FetchedPage nextPage() {
    FetchedPage fetched = ahead.take(fetch(next));
    return next.isByCursor()
        ? fetched
        : offsets.inPlace(fetched, offset -> fetch(NextPage.at(offset, next.wantsTotals())).get());
  }

  private NextPage following(ListPage<JsonNode> page) {
    return page.cursor()
        .map(cursor -> NextPage.following(page, cursor))
        .orElseGet(() -> NextPage.at(offsets.end(), next.wantsTotals()));
  }

  /**
   * Creates a supplier that does not reference this walk, so that the walk can be garbage-collected
   * while the page is being fetched.
   */
  private Supplier<FetchedPage> fetch(NextPage page) {
    return fetch(source, query, page);
  }

  private static Supplier<FetchedPage> fetch(PageSource<?> source, ListQuery query, NextPage page) {
    return () -> source.fetch(query, page);
  }
}
