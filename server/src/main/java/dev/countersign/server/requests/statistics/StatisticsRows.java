package dev.countersign.server.requests.statistics;

import dev.countersign.server.store.BulkInsert;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The SQL of statistics, the same on SQLite and PostgreSQL.
 *
 * <p>Each count is added to spans of three lengths, so that a chart of a week reads one span per
 * hour instead of one per minute. Rows are written in the order of their keys: nodes that write at
 * the same time may wait for each other but never deadlock.
 */
public final class StatisticsRows {
  /** The lengths in seconds of the spans in which outcomes and durations are counted. */
  public static final List<Integer> SPANS = List.of(60, 600, 3_600);

  /** The lengths in seconds of the spans in which each client's requests are counted. */
  public static final List<Integer> CLIENT_SPANS = List.of(600, 10_800, 86_400);

  private static final BulkInsert COUNTS =
      new BulkInsert(
          "INSERT INTO request_counts (span, start, reason, requests)",
          4,
          "ON CONFLICT (span, start, reason)"
              + " DO UPDATE SET requests = request_counts.requests + excluded.requests");
  private static final BulkInsert DURATIONS =
      new BulkInsert(
          "INSERT INTO request_durations (span, start, bucket, requests)",
          4,
          "ON CONFLICT (span, start, bucket)"
              + " DO UPDATE SET requests = request_durations.requests + excluded.requests");
  private static final BulkInsert CLIENTS =
      new BulkInsert(
          "INSERT INTO request_clients (span, start, client_id, requests, refused)",
          5,
          "ON CONFLICT (span, start, client_id)"
              + " DO UPDATE SET requests = request_clients.requests + excluded.requests,"
              + " refused = request_clients.refused + excluded.refused");

  private final JdbcClient sql;

  StatisticsRows(JdbcClient sql) {
    this.sql = sql;
  }

  /** Adds the counts of requests by the word of their reason. */
  void addOutcomes(Map<Statistics.CounterKey<String>, Long> counts) {
    add(COUNTS, counts);
  }

  /** Adds the counts of verified requests by the bucket of their duration. */
  void addDurations(Map<Statistics.CounterKey<Integer>, Long> counts) {
    add(DURATIONS, counts);
  }

  private <T extends Comparable<T>> void add(
      BulkInsert insert, Map<Statistics.CounterKey<T>, Long> counts) {
    for (int span : SPANS) {
      Map<Statistics.CounterKey<T>, Long> merged = new TreeMap<>();
      counts.forEach(
          (key, count) ->
              merged.merge(
                  new Statistics.CounterKey<>(floor(key.minute(), span), key.subject()),
                  count,
                  Long::sum));
      List<List<@Nullable Object>> rows = new ArrayList<>();
      merged.forEach((key, count) -> rows.add(row(span, key.minute() * 60, key.subject(), count)));
      insert.run(sql, rows);
    }
  }

  void addClients(Map<Statistics.ClientCounterKey, Long> counts) {
    for (int span : CLIENT_SPANS) {
      Map<Statistics.ClientCounterKey, long[]> merged = new TreeMap<>();
      counts.forEach(
          (key, count) -> {
            var spanKey =
                new Statistics.ClientCounterKey(
                    floor(key.firstMinute(), span), key.clientId(), false);
            long[] sums = merged.computeIfAbsent(spanKey, k -> new long[2]);
            sums[0] += count;
            sums[1] += key.refused() ? count : 0;
          });
      List<List<@Nullable Object>> rows = new ArrayList<>();
      merged.forEach(
          (key, sums) ->
              rows.add(row(span, key.firstMinute() * 60, key.clientId(), sums[0], sums[1])));
      CLIENTS.run(sql, rows);
    }
  }

  private static long floor(long minute, int span) {
    int minutes = span / 60;
    return Math.floorDiv(minute, minutes) * minutes;
  }

  private static List<@Nullable Object> row(Object... values) {
    return new ArrayList<>(List.of(values));
  }
}
