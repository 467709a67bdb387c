package dev.countersign.server.requests;

import dev.countersign.server.store.Database;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The requests that were recorded: what the page Requests shows. */
public final class RequestRecords {
  private final Database database;
  private final RecordWriter writer;

  RequestRecords(Database database, RecordWriter writer) {
    this.database = database;
    this.writer = writer;
  }

  /**
   * Finds requests, newest first. It looks at a bounded number of rows; where it finds too few
   * among them, the page says how far back it came and where to go on.
   *
   * @param before {@link RequestPage#next} of the page before; null for the newest
   * @param limit how many to find, 1 to 1,000
   */
  public RequestPage search(RequestFilter filter, @Nullable Long before, int limit) {
    checkLimit(limit);
    return database.read(
        sql -> new RecordSearch(sql, filter).page(before == null ? Long.MAX_VALUE : before, limit));
  }

  /** One request with all that is kept of it; empty where it is no longer kept. */
  public Optional<RequestDetails> find(long id) {
    return database.read(sql -> new RecordRows(sql).find(id));
  }

  /**
   * What was recorded after an id, oldest first: each request comes once, from all nodes.
   *
   * @param id {@link RequestTail#next} of the last time, or {@link #latest} to begin
   * @param limit how many to take, 1 to 1,000
   */
  public RequestTail after(long id, RequestFilter filter, int limit) {
    checkLimit(limit);
    return database.read(sql -> new RecordSearch(sql, filter).tail(id, limit));
  }

  /** The id of the newest request, 0 where there is none. */
  public long latest() {
    return database.read(
        sql ->
            sql.sql("SELECT coalesce(max(id), 0) FROM request_records").query(Long.class).single());
  }

  /** What this node has stored and dropped since it started. */
  public RequestCounters counters() {
    return writer.counters();
  }

  private static void checkLimit(int limit) {
    if (limit < 1 || limit > 1_000) {
      throw new IllegalArgumentException("limit must be 1 to 1000, was " + limit);
    }
  }
}
