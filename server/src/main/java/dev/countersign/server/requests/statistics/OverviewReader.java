package dev.countersign.server.requests.statistics;

import dev.countersign.protocol.Reason;
import dev.countersign.server.requests.statistics.Overview.ClientCount;
import dev.countersign.server.requests.statistics.Overview.Latency;
import dev.countersign.server.requests.statistics.Overview.Point;
import dev.countersign.server.store.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads overviews of the last hour, day or week from the statistics. */
public final class OverviewReader {
  // The number of clients with the most requests that an overview lists.
  private static final int BUSIEST = 10;

  private final Database database;
  private final Clock clock;

  public OverviewReader(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Returns the overview of the period that ends now. */
  public Overview of(Period period) {
    return database.read(sql -> new Reading(sql, period, clock.instant()).overview());
  }

  /** Reads one overview. */
  private static final class Reading {
    private final JdbcClient sql;
    private final Period period;
    private final long now;
    private final long first;
    private final long[] accepted;
    private final long[] refused;
    private final Map<Reason, Long> refusals = new EnumMap<>(Reason.class);
    private final Histogram all = new Histogram();
    private final List<Histogram> durations = new ArrayList<>();

    Reading(JdbcClient sql, Period period, Instant now) {
      this.sql = sql;
      this.period = period;
      this.now = now.getEpochSecond();
      long last = Math.floorDiv(this.now, period.stepSeconds()) * period.stepSeconds();
      this.first = last - (long) (period.steps() - 1) * period.stepSeconds();
      this.accepted = new long[period.steps()];
      this.refused = new long[period.steps()];
      for (int i = 0; i < period.steps(); i++) {
        durations.add(new Histogram());
      }
    }

    Overview overview() {
      readCounts();
      readDurations();
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < period.steps(); i++) {
        points.add(point(i));
      }
      return new Overview(period, points, sorted(refusals), all.latency(), busiest());
    }

    private Point point(int step) {
      long start = first + (long) step * period.stepSeconds();
      return new Point(
          Instant.ofEpochSecond(start),
          Duration.ofSeconds(Math.min(period.stepSeconds(), now - start)),
          accepted[step],
          refused[step],
          durations.get(step).latency());
    }

    private void readCounts() {
      sql.sql("SELECT start, reason, requests FROM request_counts WHERE span = ? AND start >= ?")
          .param(period.stepSeconds())
          .param(first)
          .query(
              row -> {
                int step = step(row.getLong("start"));
                if (step < 0) {
                  return;
                }
                String word = row.getString("reason");
                long requests = row.getLong("requests");
                if (word.isEmpty()) {
                  accepted[step] += requests;
                } else {
                  refused[step] += requests;
                  Reason.ofWord(word).ifPresent(r -> refusals.merge(r, requests, Long::sum));
                }
              });
    }

    private void readDurations() {
      sql.sql("SELECT start, bucket, requests FROM request_durations WHERE span = ? AND start >= ?")
          .param(period.stepSeconds())
          .param(first)
          .query(
              row -> {
                int step = step(row.getLong("start"));
                if (step >= 0) {
                  int bucket = row.getInt("bucket");
                  long requests = row.getLong("requests");
                  durations.get(step).add(bucket, requests);
                  all.add(bucket, requests);
                }
              });
    }

    /**
     * Returns the index of the step that begins at this time; -1 if the time is in the future,
     * because the clock of another node is ahead.
     */
    private int step(long start) {
      long step = (start - first) / period.stepSeconds();
      return step < period.steps() ? (int) step : -1;
    }

    private List<ClientCount> busiest() {
      return sql.sql(
              "SELECT client_id, sum(requests) AS total, sum(refused) AS total_refused"
                  + " FROM request_clients WHERE span = ? AND start >= ?"
                  + " GROUP BY client_id ORDER BY total DESC, client_id LIMIT "
                  + BUSIEST)
          .param(period.clientIntervalSeconds())
          .param(
              Math.floorDiv(first, period.clientIntervalSeconds()) * period.clientIntervalSeconds())
          .query(
              (row, number) ->
                  new ClientCount(
                      row.getString("client_id"),
                      row.getLong("total"),
                      row.getLong("total_refused")))
          .list();
    }

    private static Map<Reason, Long> sorted(Map<Reason, Long> counts) {
      Map<Reason, Long> sorted = new LinkedHashMap<>();
      counts.entrySet().stream()
          .sorted(Map.Entry.<Reason, Long>comparingByValue(Comparator.reverseOrder()))
          .forEach(count -> sorted.put(count.getKey(), count.getValue()));
      return sorted;
    }
  }

  /** A histogram of durations. */
  private static final class Histogram {
    private final long[] counts = new long[DurationBuckets.COUNT];
    private long total;

    void add(int bucket, long count) {
      counts[Math.min(bucket, DurationBuckets.COUNT - 1)] += count;
      total += count;
    }

    @Nullable Latency latency() {
      return total == 0 ? null : new Latency(percentile(50), percentile(99));
    }

    private Duration percentile(int percent) {
      long rank = Math.ceilDiv(total * percent, 100L);
      long seen = 0;
      int bucket = -1;
      while (seen < rank) {
        bucket++;
        seen += counts[bucket];
      }
      return DurationBuckets.middle(bucket);
    }
  }
}
