package dev.countersign.server.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.sqlite.SQLiteConnection;

/**
 * Interrupts SQLite reads that take too long. The running statement fails as interrupted, and so
 * does every later one in the same transaction.
 *
 * <p>Design note: a thread interrupts repeatedly, because SQLite forgets an interruption between
 * two statements. SQLite's progress handler needs no thread, but is not called while rows are
 * counted.
 */
final class ReadTimeouts implements AutoCloseable {
  private static final long PERIOD_MILLIS = 200;

  private final long limitNanos;
  private final Map<SQLiteConnection, Long> deadlines = new ConcurrentHashMap<>();
  private final Thread watch;

  ReadTimeouts(Duration limit) {
    this.limitNanos = limit.toNanos();
    this.watch = Thread.ofPlatform().daemon().name("sqlite-slow-reads").start(this::watch);
  }

  /** Starts the time limit of the connection's read. */
  void begin(Connection connection) throws SQLException {
    deadlines.put(connection.unwrap(SQLiteConnection.class), System.nanoTime() + limitNanos);
  }

  /** Ends the time limit. The connection is not interrupted after this. */
  void end(Connection connection) throws SQLException {
    deadlines.remove(connection.unwrap(SQLiteConnection.class));
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(PERIOD_MILLIS);
        // computeIfPresent blocks end(), so that no later read of the connection is interrupted.
        deadlines.keySet().forEach(read -> deadlines.computeIfPresent(read, ReadTimeouts::check));
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private static Long check(SQLiteConnection connection, Long deadline) {
    if (System.nanoTime() - deadline >= 0) {
      try {
        connection.getDatabase().interrupt();
      } catch (SQLException e) {
        // The connection is closed, so nothing is running on it.
        System.getLogger(ReadTimeouts.class.getName())
            .log(System.Logger.Level.DEBUG, "cannot interrupt a slow read", e);
      }
    }
    return deadline;
  }

  @Override
  public void close() {
    watch.interrupt();
  }
}
