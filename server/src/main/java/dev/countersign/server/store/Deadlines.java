package dev.countersign.server.store;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends transactions that take too long, whatever the database does. The way depends on the
 * database: a SQLite statement is interrupted, a connection to PostgreSQL is cut.
 *
 * <p>Design note: one thread watches all deadlines, so it must not wait. It interrupts repeatedly,
 * because SQLite forgets an interruption between two statements. SQLite's progress handler needs no
 * thread, but is not called while rows are counted. A connection is cut on another thread, because
 * with TLS, the driver waits while a thread writes to the connection.
 */
final class Deadlines implements AutoCloseable {
  private static final long PERIOD_MILLIS = 200;
  private static final System.Logger LOG = System.getLogger(Deadlines.class.getName());

  private final Interruption interruption;
  private final boolean isFatal;
  private final Map<Connection, Limit> limits = new ConcurrentHashMap<>();
  private final Thread watch;

  private Deadlines(String database, Interruption interruption, boolean isFatal) {
    this.interruption = interruption;
    this.isFatal = isFatal;
    this.watch = Thread.ofPlatform().daemon().name(database + "-deadlines").start(this::watch);
  }

  /**
   * Starts a thread that interrupts the statement of a transaction when its time is over. The
   * connection stays usable.
   *
   * @param database the name of the database, for the thread
   * @param interruption interrupts from another thread, without waiting
   */
  static Deadlines interrupting(String database, Interruption interruption) {
    return new Deadlines(database, interruption, false);
  }

  /**
   * Starts a thread that has the connection of a transaction cut when its time is over.
   *
   * @param database the name of the database, for the threads
   */
  static Deadlines cutting(String database) {
    return new Deadlines(
        database,
        connection ->
            Thread.ofPlatform()
                .daemon()
                .name(database + "-cut")
                .start(() -> interrupt(connection, open -> open.abort(Runnable::run))),
        true);
  }

  /** Stops the statement that runs on a connection, or cuts the connection. */
  @FunctionalInterface
  interface Interruption {
    void interrupt(Connection connection) throws SQLException;
  }

  /**
   * Starts the time limit of a transaction.
   *
   * @param connection the connection of the driver, not of a pool
   */
  void begin(Connection connection, Duration limit) {
    limits.put(connection, new Limit(connection, System.nanoTime() + limit.toNanos()));
  }

  /**
   * Ends the time limit, if there is one. The connection is not interrupted after this, unless it
   * is to be discarded.
   *
   * @return whether the connection can be used again; false if it is cut, now or in a moment
   */
  boolean end(Connection connection) {
    Limit limit = limits.remove(connection);
    return limit == null || limit.end();
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(PERIOD_MILLIS);
        limits.values().forEach(Limit::check);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  // A failure must not end the thread, or no other transaction would be ended.
  private static boolean interrupt(Connection connection, Interruption interruption) {
    try {
      interruption.interrupt(connection);
      return true;
    } catch (SQLException e) {
      // The connection is closed, so nothing is running on it.
      LOG.log(Level.DEBUG, "cannot end a slow transaction", e);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "cannot end a slow transaction", e);
    }
    return false;
  }

  @Override
  public void close() {
    watch.interrupt();
  }

  /** The time limit of one transaction. Its lock is never held while something waits. */
  private final class Limit {
    private final Connection connection;
    private final long deadline;
    private boolean isEnded;
    // Whether the connection must be discarded. True already while it is being cut.
    private boolean isDead;
    private boolean isCut;

    Limit(Connection connection, long deadline) {
      this.connection = connection;
      this.deadline = deadline;
    }

    synchronized void check() {
      if (!isEnded && !isCut && System.nanoTime() - deadline >= 0) {
        isDead = isFatal;
        isCut = interrupt(connection, interruption) && isFatal;
      }
    }

    synchronized boolean end() {
      isEnded = true;
      return !isDead;
    }
  }
}
