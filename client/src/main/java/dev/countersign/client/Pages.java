package dev.countersign.client;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One walk over a list. */
final class Pages<T> implements Iterator<ListPage<T>> {
  private final PageSource<T> source;
  private final ListQuery query;
  private final FetchAhead ahead;
  private long offset;
  private long remaining;
  private boolean ended;
  private boolean wentBack;
  private @Nullable ListPage<JsonNode> before;
  private @Nullable ListPage<T> ready;

  Pages(PageSource<T> source, ListQuery query, long limit, boolean fetchesAhead) {
    this.source = source;
    this.query = query;
    this.ahead = fetchesAhead ? FetchAhead.of(this) : FetchAhead.none();
    this.offset = query.offset();
    this.remaining = limit;
    this.ended = limit == 0;
  }

  /** Ends the walk, and what it fetches. */
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
    // Whatever goes wrong from here on, the walk does not go on behind a gap.
    ended = true;
    FetchedPage fetched = nextPage();
    ListPage<JsonNode> page = fetched.page();
    boolean isFirst = before == null;
    List<JsonNode> fresh = before == null ? page.content() : fetched.newSince(before);
    int count = (int) Math.min(remaining, fresh.size());
    int passed =
        count < fresh.size() ? page.content().indexOf(fresh.get(count)) : page.content().size();
    ListPage<T> read = source.read(fetched, fresh.subList(0, count), passed);
    // An empty list has one page, which says so.
    ready = count > 0 || isFirst ? read : null;
    remaining -= count;
    // New records are progress, so the page behind them may go back again.
    wentBack &= count == 0;
    before = page;
    offset = page.offset() + page.size();
    ended = fetched.isEnd() || remaining == 0;
    if (!ended) {
      ahead.begin(fetch(offset));
    }
  }

  /**
   * The next page; where the list shrank since the page before, as many records earlier, because
   * those behind may have moved up past the offset.
   */
  private FetchedPage nextPage() {
    FetchedPage fetched = ahead.take(fetch(offset));
    ListPage<JsonNode> page = fetched.page();
    if (before == null || wentBack || page.totalElements() >= before.totalElements()) {
      wentBack = false;
      return fetched;
    }
    // Once without new records, so that a total which shrinks for ever does not keep the walk.
    wentBack = true;
    long gone = before.totalElements() - page.totalElements();
    return fetch(Math.max(before.offset(), offset - gone)).get();
  }

  /** Holds on to no part of this walk, which may be collected while the page is on its way. */
  private Supplier<FetchedPage> fetch(long from) {
    return fetch(source, query, from);
  }

  private static Supplier<FetchedPage> fetch(PageSource<?> source, ListQuery query, long from) {
    return () -> source.fetch(query.at(from), from, query.pageSize());
  }
}
