package dev.countersign.server.store.purge;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.Dialect;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Deletes rows that have expired for all nodes, in batches. Each batch is a short transaction, so
 * that it neither runs into the limit of a transaction nor delays the writers of a SQLite file.
 *
 * <p>A row has expired when both the clock of the database and the clock of this node say so. A
 * node that may not serve requests, for example because its clock is wrong, deletes nothing.
 *
 * <p>Of several nodes, the one that holds the lease deletes. The lease ends by the clock of the
 * database, so that a node that stops does not keep it. It only saves work: two purges at the same
 * time are safe.
 */
public final class Purge {
  /** The maximum number of rows in a batch. */
  public static final int MAX_BATCH = 1_000;

  // The number of rows in the first batch, and the minimum in each later one.
  private static final int FIRST_BATCH = 100;
  // On SQLite, a batch has fewer rows than the one before it if that one took longer.
  private static final long BATCH_NANOS = Duration.ofMillis(20).toNanos();
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final long RUN_NANOS = Duration.ofSeconds(20).toNanos();
  private static final long LEASE_MILLIS = Duration.ofSeconds(60).toMillis();
  private static final long RENEWED_AFTER_NANOS = Duration.ofSeconds(10).toNanos();

  private final Database database;
  private final Lease lease;
  private final BooleanSupplier isFit;
  private final Clock clock;
  private final LongSupplier nanoTime;
  private final int maxBatch;
  // When this node took or renewed the lease, in nanoseconds.
  private final AtomicLong leaseTakenAt;

  /**
   * Creates a purge of one kind of rows.
   *
   * @param isFit whether this node may serve requests, and so may delete
   */
  public Purge(Database database, Lease lease, BooleanSupplier isFit, Clock clock) {
    this(database, lease, isFit, clock, System::nanoTime, MAX_BATCH);
  }

  /**
   * Creates a purge that measures durations by {@code nanoTime}, with this maximum size of a batch.
   *
   * @param nanoTime a monotonic clock in nanoseconds, such as {@link System#nanoTime}
   * @param maxBatch the maximum number of rows in a batch, 1 to {@value #MAX_BATCH}
   */
  public Purge(
      Database database,
      Lease lease,
      BooleanSupplier isFit,
      Clock clock,
      LongSupplier nanoTime,
      int maxBatch) {
    this.database = database;
    this.lease = lease;
    this.isFit = isFit;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.maxBatch = maxBatch;
    this.leaseTakenAt = new AtomicLong(nanoTime.getAsLong() - RENEWED_AFTER_NANOS);
  }

  /**
   * A lease on the purge of one kind of rows.
   *
   * @param name the kind, such as {@code requests}
   * @param node a random number that identifies this process
   */
  public record Lease(String name, long node) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns a lease that identifies this process by a new random number. */
    public static Lease withRandomNode(String name) {
      return new Lease(name, RANDOM.nextLong());
    }
  }

  /** Deletes some expired rows. */
  @FunctionalInterface
  public interface Batch {
    /**
     * Deletes rows in the caller's transaction.
     *
     * @param now the time by which rows must have expired
     * @param limit the maximum number of rows
     * @return the number of rows deleted; fewer than {@code limit} if no more are due
     */
    int delete(JdbcClient sql, Instant now, int limit);
  }

  /**
   * Runs batches in turn until nothing is due, this node may no longer delete, or 20 s are over.
   *
   * @param isEnding whether to end after the current batch
   * @return the number of rows deleted
   */
  public long run(List<Batch> batches, BooleanSupplier isEnding) {
    long start = nanoTime.getAsLong();
    long deleted = 0;
    int limit = Math.min(FIRST_BATCH, maxBatch);
    Deque<Batch> due = new ArrayDeque<>(batches);
    while (!due.isEmpty()
        && nanoTime.getAsLong() - start < RUN_NANOS
        && !isEnding.getAsBoolean()
        && acquireLease()) {
      Batch batch = due.removeFirst();
      Deleted some = delete(batch, limit);
      deleted += some.rows;
      if (some.rows == limit) {
        due.addLast(batch);
        limit = nextLimit(limit, some.nanos);
        yieldToWriters();
      }
    }
    return deleted;
  }

  /** The number of rows that a batch deleted, and how long it held its connection. */
  private record Deleted(int rows, long nanos) {}

  // All writers of a SQLite file wait for a batch. On PostgreSQL, nobody does.
  private int nextLimit(int limit, long nanos) {
    return nanos > BATCH_NANOS && !database.dialect().isShared()
        ? Math.max(Math.min(FIRST_BATCH, maxBatch), limit / 2)
        : Math.min(maxBatch, limit * 2);
  }

  // Without a pause, the pool would give its one connection to this thread again, before the
  // threads that wait for it.
  private void yieldToWriters() {
    if (!database.dialect().isShared()) {
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // The duration counts from when the batch has the connection until its commit is done.
  private Deleted delete(Batch batch, int limit) {
    AtomicLong began = new AtomicLong();
    int rows =
        database.write(
            sql -> {
              began.set(nanoTime.getAsLong());
              return batch.delete(sql, now(sql, database.dialect(), clock), limit);
            });
    return new Deleted(rows, nanoTime.getAsLong() - began.get());
  }

  /** Returns the time by which rows must have expired: the earlier of the two clocks. */
  public Instant now() {
    return database.read(sql -> now(sql, database.dialect(), clock));
  }

  /**
   * Returns the time by which rows must have expired: the earlier of the clocks of the database and
   * of this node. On SQLite, both are the clock of this machine.
   */
  public static Instant now(JdbcClient sql, Dialect dialect, Clock clock) {
    Instant nodeTime = clock.instant();
    if (!dialect.isShared()) {
      return nodeTime;
    }
    long millis = sql.sql("SELECT " + dialect.epochMillis()).query(Long.class).single();
    Instant databaseTime = Instant.ofEpochMilli(millis);
    return databaseTime.isBefore(nodeTime) ? databaseTime : nodeTime;
  }

  /**
   * Takes or renews the lease if necessary. A node that may not serve requests does not get it.
   *
   * @return whether this node holds the lease and may delete now
   */
  public boolean acquireLease() {
    if (!isFit.getAsBoolean()) {
      return false;
    }
    long now = nanoTime.getAsLong();
    if (now - leaseTakenAt.get() < RENEWED_AFTER_NANOS) {
      return true;
    }
    boolean isTaken = tryTakeLease();
    leaseTakenAt.set(isTaken ? now : now - RENEWED_AFTER_NANOS);
    return isTaken;
  }

  /** Takes or renews the lease; returns false if another node holds it. */
  private boolean tryTakeLease() {
    String currentMillis = database.dialect().epochMillis();
    return database.write(
            sql ->
                sql.sql(
                        "INSERT INTO purge_leases (name, node, until) VALUES (:name, :node, "
                            + currentMillis
                            + " + "
                            + LEASE_MILLIS
                            + ") ON CONFLICT (name) DO UPDATE SET node = excluded.node,"
                            + " until = excluded.until WHERE purge_leases.node = excluded.node"
                            + " OR purge_leases.until < "
                            + currentMillis)
                    .param("name", lease.name)
                    .param("node", lease.node)
                    .update())
        == 1;
  }

  /**
   * The rows of one table that a batch deletes.
   *
   * @param table the table
   * @param key the columns of its primary key, separated by commas
   * @param start a condition that an index serves, without an upper limit
   * @param order the columns by which this index sorts
   * @param due the condition of expired rows, which holds for the first rows in that order
   * @param dueColumns the columns that {@code due} needs beside the key, each after a comma
   */
  public record Rows(
      String table, String key, String start, String order, String due, String dueColumns) {
    /**
     * Returns a statement that deletes some of the rows in the order of their primary keys, so that
     * two purges wait for each other instead of deadlocking. The condition is checked again on the
     * locked rows, because another transaction may have changed one of them.
     *
     * <p>Design note: the search for the first rows has no upper limit. With one, and with old
     * statistics, PostgreSQL assumes that few rows are due, and reads and sorts millions of them
     * for each batch.
     *
     * @param limit the maximum number of rows
     */
    public String deletion(Dialect dialect, int limit) {
      String first =
          ("SELECT " + key + dueColumns + " FROM " + table + " WHERE " + start)
              + (" ORDER BY " + order + " LIMIT " + limit);
      String found = "SELECT " + key + " FROM (" + first + ") foremost WHERE " + due;
      String from = " FROM " + table + " WHERE (" + key + ") IN (";
      String locked =
          dialect.isShared()
              ? "SELECT " + key + from + found + ") AND " + due + " ORDER BY " + key + " FOR UPDATE"
              : found;
      return "DELETE" + from + locked + ") AND " + due;
    }
  }
}
