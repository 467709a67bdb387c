package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.requests.statistics.StatisticsRows;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.FailureLog;
import dev.countersign.server.store.purge.Purge;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Deletes requests in batches: those that are too old, and those over the limit of each trust
 * level. {@link Purge} decides whether this node may delete, and which time counts.
 *
 * <p>Design note: a step ends after a fixed time, but not before it has deleted twice as many rows
 * as were written since the last step. The number of rows therefore stays bounded, however many
 * requests arrive: if deleting is slow, writing waits for it, and the queue drops and counts the
 * requests that do not fit.
 */
final class Retention {
  private static final long STEP_NANOS = Duration.ofMillis(200).toNanos();
  private static final Duration ROUND_INTERVAL = Duration.ofSeconds(30);
  private static final List<Duration> COUNTS_KEPT =
      List.of(Duration.ofHours(3), Duration.ofDays(2), Duration.ofDays(9));

  private final Database database;
  private final RequestProperties properties;
  private final Purge purge;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final FailureLog failureLog = new FailureLog("old requests are not deleted");
  // The rows to delete in this round, determined when the round begins.
  private final Deque<Excess> excess = new ArrayDeque<>();
  private Instant nextRound;

  /**
   * Creates the retention of one node.
   *
   * @param purge the purge of requests
   */
  Retention(
      Database database,
      RequestProperties properties,
      Purge purge,
      Clock clock,
      LongSupplier nanoTime) {
    this.database = database;
    this.properties = properties;
    this.purge = purge;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.nextRound = clock.instant();
  }

  /** Rows of one kind that are too many or too old. */
  @FunctionalInterface
  private interface Excess {
    /** Deletes up to {@link Purge#MAX_BATCH} of the rows, and returns how many it deleted. */
    int delete(JdbcClient sql);
  }

  /**
   * Deletes some of the rows that are due.
   *
   * @param written the number of rows written since the last step
   */
  void step(int written) {
    boolean isDue = !clock.instant().isBefore(nextRound);
    if (excess.isEmpty() && !isDue) {
      return; // nothing was tried, so the failure log must not report a recovery
    }
    failureLog.attempt(
        () -> {
          if (excess.isEmpty()) {
            nextRound = clock.instant().plus(ROUND_INTERVAL);
            if (purge.acquireLease()) {
              collectExcess(purge.now());
            }
          }
          deleteAtLeast(2L * written);
        });
  }

  private void deleteAtLeast(long rows) {
    long began = nanoTime.getAsLong();
    long deleted = 0;
    while (!excess.isEmpty() && (deleted < rows || nanoTime.getAsLong() - began < STEP_NANOS)) {
      if (!purge.acquireLease()) {
        excess.clear();
        return;
      }
      deleted += deleteSome();
    }
  }

  private void collectExcess(Instant now) {
    long firstKept = RecordIds.lowest(now.minus(properties.keepFor()));
    excess.add(records("TRUE", Map.of("before", firstKept)));
    for (TrustLevel trust : TrustLevel.values()) {
      firstKept(trust)
          .ifPresent(
              id ->
                  excess.add(
                      records(
                          "standing = :standing",
                          Map.of("standing", RecordRows.number(trust), "before", id))));
    }
    for (int i = 0; i < StatisticsRows.SPANS.size(); i++) {
      Instant from = now.minus(COUNTS_KEPT.get(i));
      int span = StatisticsRows.SPANS.get(i);
      excess.add(statistics("request_counts", "span, start, reason", span, from));
      excess.add(statistics("request_durations", "span, start, bucket", span, from));
      int ofClients = StatisticsRows.CLIENT_SPANS.get(i);
      excess.add(statistics("request_clients", "span, start, client_id", ofClients, from));
    }
  }

  /** Returns the id of the oldest row within the share of this trust level. */
  private Optional<Long> firstKept(TrustLevel trust) {
    return database.read(
        sql ->
            sql.sql(
                    "SELECT id FROM request_records WHERE standing = ? ORDER BY id DESC LIMIT 1"
                        + " OFFSET ?")
                .param(RecordRows.number(trust))
                .param(RationedQueues.share(trust, properties.maximumRows()) - 1)
                .query(Long.class)
                .optional());
  }

  private int deleteSome() {
    Excess due = excess.getFirst();
    int deleted = database.write(due::delete);
    if (deleted < Purge.MAX_BATCH) {
      excess.removeFirst();
    }
    return deleted;
  }

  /**
   * Returns the records before an id.
   *
   * @param start a condition whose index returns the records in the order of their ids
   * @param parameters the parameters of {@code start}, and the id as {@code before}
   */
  private Excess records(String start, Map<String, ?> parameters) {
    String statement = deletion("request_records", "id", start, "id < :before") + " RETURNING id";
    return sql -> {
      List<Long> ids =
          sql.sql(statement).params(parameters).query((row, number) -> row.getLong(1)).list();
      if (!ids.isEmpty()) {
        sql.sql("DELETE FROM request_details WHERE id IN (:ids)").param("ids", ids).update();
      }
      return ids.size();
    };
  }

  private Excess statistics(String table, String key, int span, Instant from) {
    String statement = deletion(table, key, "span = :span", "span = :span AND start < :from");
    return sql ->
        sql.sql(statement).param("span", span).param("from", from.getEpochSecond()).update();
  }

  private String deletion(String table, String key, String start, String due) {
    return new Purge.Rows(table, key, start, key, due, "")
        .deletion(database.dialect(), Purge.MAX_BATCH);
  }
}
