package dev.countersign.server.store.connections;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line when the database is lost and one when it is back, however many connections and
 * requests notice.
 */
public final class Reachability {
  private static final Logger LOG = LoggerFactory.getLogger(Reachability.class);

  private final String database;
  private volatile boolean isLost;
  // In the time of System.nanoTime().
  private long backSince = System.nanoTime();

  /** Creates an instance for a database that was reached. */
  public Reachability(String database) {
    this.database = database;
  }

  /**
   * Notes that a transaction could not reach the database, or lost its connection.
   *
   * @param begunAt when the transaction began, in the time of {@link System#nanoTime}. If that was
   *     before the database was back, the transaction says nothing about the time since
   * @return whether this is news
   */
  public synchronized boolean lost(long begunAt, String why) {
    if (isLost || begunAt - backSince < 0) {
      return false;
    }
    isLost = true;
    LOG.warn("{} was lost; requests are refused until it is back: {}", database, why);
    return true;
  }

  /** Notes that a transaction was answered. */
  public void reached() {
    if (isLost) {
      back();
    }
  }

  private synchronized void back() {
    if (isLost) {
      isLost = false;
      backSince = System.nanoTime();
      LOG.info("{} is back", database);
    }
  }
}
