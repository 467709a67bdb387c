package dev.countersign.server.requests;

import dev.countersign.server.store.Database;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The recorded requests, as the page Requests shows them. */
public final class RequestRecordStore {
  /** The largest number that {@link #count} returns. */
  public static final int MAX_COUNTED = 20_000;

  private final Database database;
  private final RecordWriter writer;

  RequestRecordStore(Database database, RecordWriter writer) {
    this.database = database;
    this.writer = writer;
  }

  /**
   * Finds requests, newest first. The search reads a bounded number of rows. If it finds too few
   * matches among them, the page says how far back the search reached and where to continue.
   *
   * @param before {@link RecordSearchResult#next} of the previous page; null for the newest
   * @param limit the maximum number of requests to find, 1 to 1,000
   */
  public RecordSearchResult search(RequestFilter filter, @Nullable Long before, int limit) {
    checkLimit(limit);
    return database.read(
        sql -> new RecordSearch(sql, filter).page(before == null ? Long.MAX_VALUE : before, limit));
  }

  /** Returns one request with everything that is stored about it; empty if it was deleted. */
  public Optional<RequestDetails> find(long id) {
    return database.read(sql -> new RecordRows(sql).find(id));
  }

  /**
   * Finds the requests with the next larger ids than this one, newest first.
   *
   * @param id the id of a request
   * @param limit the maximum number of requests to find, 1 to 1,000
   * @return the requests, and the id to continue after; that id is null if the search reached the
   *     end of the filter's period
   */
  public RecordSearchResult newer(long id, RequestFilter filter, int limit) {
    checkLimit(limit);
    return database.read(sql -> new RecordSearch(sql, filter).newer(id, limit));
  }

  /**
   * Counts the requests with ids between two others, up to {@link #MAX_COUNTED}. Reads all rows
   * between the two ids and within the filter's times, so limit the ids or the times.
   *
   * @param after the id before the first request to count
   * @param before the id after the last request to count
   */
  public long count(RequestFilter filter, long after, long before) {
    return database.read(sql -> new RecordSearch(sql, filter).count(after, before, MAX_COUNTED));
  }

  /** Returns the largest id of a request, or 0 if there is none. */
  public long latest() {
    return database.read(
        sql ->
            sql.sql("SELECT coalesce(max(id), 0) FROM request_records").query(Long.class).single());
  }

  /** Returns the numbers of requests that this node stored and dropped since it started. */
  public RequestCounters counters() {
    return writer.counters();
  }

  private static void checkLimit(int limit) {
    if (limit < 1 || limit > 1_000) {
      throw new IllegalArgumentException("limit must be 1 to 1000, was " + limit);
    }
  }
}
