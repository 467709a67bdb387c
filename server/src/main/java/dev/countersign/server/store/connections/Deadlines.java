package dev.countersign.server.store.connections;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Interrupts transactions that take too long, whatever the database does. How depends on the
 * database: a SQLite statement is interrupted, a connection to PostgreSQL is cut.
 *
 * <p>Design note: a thread interrupts repeatedly, because SQLite forgets an interruption between
 * two statements. SQLite's progress handler needs no thread, but is not called while rows are
 * counted.
 */
public final class Deadlines implements AutoCloseable {
  private static final long PERIOD_MILLIS = 200;

  private final Interruption interruption;
  private final Map<Connection, Long> deadlines = new ConcurrentHashMap<>();
  private final Thread watch;

  /**
   * Starts the thread that watches.
   *
   * @param database the name of the database, for the thread
   */
  public Deadlines(String database, Interruption interruption) {
    this.interruption = interruption;
    this.watch = Thread.ofPlatform().daemon().name(database + "-deadlines").start(this::watch);
  }

  /** Stops what runs on a connection, from another thread and without waiting. */
  @FunctionalInterface
  public interface Interruption {
    void interrupt(Connection connection) throws SQLException;
  }

  /**
   * Starts the time limit of a transaction.
   *
   * @param connection the connection of the driver, not of a pool
   */
  public void begin(Connection connection, Duration limit) {
    deadlines.put(connection, System.nanoTime() + limit.toNanos());
  }

  /** Ends the time limit, if there is one. The connection is not interrupted after this. */
  public void end(Connection connection) {
    deadlines.remove(connection);
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(PERIOD_MILLIS);
        // computeIfPresent blocks end(), so that no later transaction is interrupted.
        deadlines.keySet().forEach(one -> deadlines.computeIfPresent(one, this::check));
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private Long check(Connection connection, Long deadline) {
    if (System.nanoTime() - deadline >= 0) {
      try {
        interruption.interrupt(connection);
      } catch (SQLException e) {
        // The connection is closed, so nothing is running on it.
        System.getLogger(Deadlines.class.getName())
            .log(System.Logger.Level.DEBUG, "cannot interrupt a slow transaction", e);
      }
    }
    return deadline;
  }

  @Override
  public void close() {
    watch.interrupt();
  }
}
