package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.requests.statistics.StatisticsRows;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.FailureLog;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Deletes requests in batches: those that are too old, and those over the limit of each standing.
 * Of several nodes, the one that holds the lease deletes; it renews the lease while it runs. The
 * lease ends by the clock of the database, so that a node that stops does not keep it.
 *
 * <p>Design note: a step ends after a fixed time, but not before it has deleted twice as many rows
 * as were written since the last step. The number of rows therefore stays bounded, however many
 * requests arrive: if deleting is slow, writing waits for it, and the queue drops and counts the
 * requests that do not fit.
 */
final class Retention {
  private static final int AT_ONCE = 1_000;
  private static final long STEP_NANOS = Duration.ofMillis(200).toNanos();
  private static final Duration EVERY = Duration.ofSeconds(30);
  private static final List<Duration> COUNTS_KEPT =
      List.of(Duration.ofHours(3), Duration.ofDays(2), Duration.ofDays(9));

  private static final long LEASE_MILLIS = Duration.ofSeconds(60).toMillis();
  private static final long RENEWED_AFTER_NANOS = Duration.ofSeconds(10).toNanos();
  // A node without records for this long is forgotten; its next record makes it known again.
  private static final long NODE_KEPT_MILLIS = Duration.ofHours(1).toMillis();

  private final Database database;
  private final RequestProperties properties;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final FailureLog failureLog = new FailureLog("old requests are not deleted");
  // The rows to delete in this round, decided when the round begins.
  private final Deque<Criterion> excess = new ArrayDeque<>();
  private Instant nextRound;
  private final long node;
  private boolean holdsLease;
  private long askedForLease;

  Retention(
      Database database,
      RequestProperties properties,
      Clock clock,
      LongSupplier nanoTime,
      long node) {
    this.node = node;
    this.nanoTime = nanoTime;
    this.database = database;
    this.properties = properties;
    this.clock = clock;
    this.nextRound = clock.instant();
  }

  /**
   * Deletes some of the rows that are due.
   *
   * @param written the number of rows written since the last step
   */
  void step(int written) {
    boolean isDue = !clock.instant().isBefore(nextRound);
    if (excess.isEmpty() && !isDue) {
      return; // says nothing about the database
    }
    failureLog.isOver(
        () -> {
          if (excess.isEmpty()) {
            nextRound = clock.instant().plus(EVERY);
            if (takesLease()) {
              decide();
            }
          }
          if (!excess.isEmpty() && !keepsLease()) {
            excess.clear();
          }
          deleteAtLeast(2L * written);
        });
  }

  private boolean keepsLease() {
    return (holdsLease && nanoTime.getAsLong() - askedForLease < RENEWED_AFTER_NANOS)
        || takesLease();
  }

  /** Takes or renews the lease; returns false if another node holds it. */
  private boolean takesLease() {
    String now = database.dialect().epochMillis();
    holdsLease =
        database.write(
                sql ->
                    sql.sql(
                            "INSERT INTO purge_leases (name, node, until) VALUES ('requests', :node, "
                                + now
                                + " + "
                                + LEASE_MILLIS
                                + ") ON CONFLICT (name) DO UPDATE SET node = excluded.node,"
                                + " until = excluded.until WHERE purge_leases.node = excluded.node"
                                + " OR purge_leases.until < "
                                + now)
                        .param("node", node)
                        .update())
            == 1;
    askedForLease = nanoTime.getAsLong();
    return holdsLease;
  }

  private void deleteAtLeast(long rows) {
    long began = nanoTime.getAsLong();
    long deleted = 0;
    while (!excess.isEmpty() && (deleted < rows || nanoTime.getAsLong() - began < STEP_NANOS)) {
      deleted += deleteSome();
    }
  }

  private void decide() {
    long oldest = clock.instant().minus(properties.keepFor()).toEpochMilli();
    excess.add(new Criterion("ended_at < ?", List.of(oldest), Criterion.Order.OTHERWISE));
    for (TrustLevel standing : TrustLevel.values()) {
      firstKept(standing)
          .ifPresent(
              id ->
                  excess.add(
                      new Criterion(
                          "standing = ? AND id < ?",
                          List.of(RecordRows.number(standing), id),
                          Criterion.Order.BY_ID)));
    }
    deleteStatistics();
    forgetNodes();
  }

  private void forgetNodes() {
    String now = database.dialect().epochMillis();
    database.write(
        sql ->
            sql.sql("DELETE FROM request_nodes WHERE written_at < " + now + " - ?")
                .param(NODE_KEPT_MILLIS)
                .update());
  }

  /** Returns the oldest row within the share of this standing. */
  private Optional<Long> firstKept(TrustLevel standing) {
    return database.read(
        sql ->
            sql.sql(
                    "SELECT id FROM request_records WHERE standing = ? ORDER BY id DESC LIMIT 1"
                        + " OFFSET ?")
                .param(RecordRows.number(standing))
                .param(RationedQueues.share(standing, properties.maximumRows()) - 1)
                .query(Long.class)
                .optional());
  }

  private record Deleted(int found, int rows) {}

  /** Deletes some rows and returns how many, excluding those that another node deleted first. */
  private int deleteSome() {
    Criterion due = excess.getFirst();
    Deleted deleted = database.write(sql -> delete(sql, due));
    if (deleted.found < AT_ONCE) {
      excess.removeFirst();
    }
    return deleted.rows;
  }

  private static Deleted delete(JdbcClient sql, Criterion due) {
    List<Long> ids =
        sql.sql("SELECT id FROM request_records WHERE " + due.sql() + " LIMIT " + AT_ONCE)
            .params(due.parameters())
            .query((row, number) -> row.getLong(1))
            .list();
    if (ids.isEmpty()) {
      return new Deleted(0, 0);
    }
    sql.sql("DELETE FROM request_details WHERE id IN (:ids)").param("ids", ids).update();
    int deleted =
        sql.sql("DELETE FROM request_records WHERE id IN (:ids)").param("ids", ids).update();
    return new Deleted(ids.size(), deleted);
  }

  private void deleteStatistics() {
    database.write(
        sql -> {
          for (int i = 0; i < StatisticsRows.SPANS.size(); i++) {
            int span = StatisticsRows.SPANS.get(i);
            deleteSpans(sql, "request_counts", span, COUNTS_KEPT.get(i));
            deleteSpans(sql, "request_durations", span, COUNTS_KEPT.get(i));
            int ofClients = StatisticsRows.CLIENT_SPANS.get(i);
            deleteSpans(sql, "request_clients", ofClients, COUNTS_KEPT.get(i));
          }
          return sql;
        });
  }

  private void deleteSpans(JdbcClient sql, String table, int span, Duration kept) {
    sql.sql("DELETE FROM " + table + " WHERE span = ? AND start < ?")
        .param(span)
        .param(clock.instant().minus(kept).getEpochSecond())
        .update();
  }
}
