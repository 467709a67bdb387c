package dev.countersign.client;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One walk over a list. */
final class PageIterator<T> implements Iterator<ListPage<T>> {
  private final PageSource<T> source;
  private final ListQuery query;
  private final FetchAhead ahead;
  private long remaining;
  private boolean ended;
  private @Nullable ListPosition before;
  private @Nullable ListPage<T> ready;

  PageIterator(PageSource<T> source, ListQuery query, long limit, boolean fetchesAhead) {
    this.source = source;
    this.query = query;
    this.ahead = fetchesAhead ? FetchAhead.of(this) : FetchAhead.none();
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
    List<Integer> fresh = before == null ? fetched.positions() : newSince(before, fetched);
    int count = (int) Math.min(remaining, fresh.size());
    int passed = count < fresh.size() ? fresh.get(count) : content.size();
    List<JsonNode> records = fresh.subList(0, count).stream().map(content::get).toList();
    ListPage<T> read = source.read(fetched, records, passed);
    // An empty list still has one page.
    ready = count > 0 || before == null ? read : null;
    remaining -= count;
    before =
        before == null || !fresh.isEmpty()
            ? ListPosition.of(fetched.page())
            : before.withNothingNew(fetched.page());
    ended = fetched.isEnd() || remaining == 0;
    if (!ended) {
      ahead.begin(fetch(before.end()));
    }
  }

  /**
   * The positions of the new records. Two pages in a row without new records are an error, because
   * a walk might otherwise never end.
   */
  private static List<Integer> newSince(ListPosition before, FetchedPage fetched) {
    List<Integer> fresh = fetched.newSince(before);
    if (fresh.isEmpty() && before.stoodStill() && !fetched.isEnd()) {
      throw fetched.withoutProgress(before);
    }
    return fresh;
  }

  /** The next page, or an earlier page if the list shrank since the previous page was read. */
  private FetchedPage nextPage() {
    ListPosition position = before;
    FetchedPage fetched = ahead.take(fetch(position == null ? query.offset() : position.end()));
    long total = fetched.page().totalElements();
    return position == null || total >= position.page().totalElements()
        ? fetched
        : position.find(total, from -> fetch(from).get());
  }

  /**
   * Creates a supplier that does not reference this walk, so that the walk can be garbage-collected
   * while the page is being fetched.
   */
  private Supplier<FetchedPage> fetch(long from) {
    return fetch(source, query, from);
  }

  private static Supplier<FetchedPage> fetch(PageSource<?> source, ListQuery query, long from) {
    return () -> source.fetch(query.at(from), from, query.pageSize());
  }
}
