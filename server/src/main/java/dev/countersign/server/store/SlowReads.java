package dev.countersign.server.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.sqlite.SQLiteConnection;

/**
 * Ends the reads of SQLite that take too long: their statement fails as interrupted, and so does
 * each that follows in the same transaction.
 *
 * <p>Design note: a thread that asks again and again, because SQLite forgets an interruption that
 * comes between two statements. Its progress handler needs no thread, but is not called while rows
 * are counted.
 */
final class SlowReads implements AutoCloseable {
  private static final long PERIOD_MILLIS = 200;

  private final long limitNanos;
  private final Map<SQLiteConnection, Long> deadlines = new ConcurrentHashMap<>();
  private final Thread watch;

  SlowReads(Duration limit) {
    this.limitNanos = limit.toNanos();
    this.watch = Thread.ofPlatform().daemon().name("sqlite-slow-reads").start(this::watch);
  }

  /** From here the connection's read may take until the limit. */
  void begin(Connection connection) throws SQLException {
    deadlines.put(connection.unwrap(SQLiteConnection.class), System.nanoTime() + limitNanos);
  }

  /** After this the connection is not interrupted. */
  void end(Connection connection) throws SQLException {
    deadlines.remove(connection.unwrap(SQLiteConnection.class));
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(PERIOD_MILLIS);
        // Computing holds off end(), so that no later read of the connection is hit.
        deadlines.keySet().forEach(read -> deadlines.computeIfPresent(read, SlowReads::check));
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
        // The connection is closed, so nothing runs on it.
        System.getLogger(SlowReads.class.getName())
            .log(System.Logger.Level.DEBUG, "a read was not interrupted", e);
      }
    }
    return deadline;
  }

  @Override
  public void close() {
    watch.interrupt();
  }
}
