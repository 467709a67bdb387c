package dev.countersign.server.store;

import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line when the database is lost and one when it is back, however many connections and
 * requests notice. It does the same for a database that can be reached but refuses to log the
 * service in. Its open connections are not affected by that.
 */
final class Reachability {
  private static final Logger LOG = LoggerFactory.getLogger(Reachability.class);

  private final String database;
  private final Alarm lost = new Alarm();
  private final Alarm refused = new Alarm();
  // In the time of System.nanoTime().
  private volatile long refusedAt;
  // In the time of System.nanoTime().
  private long backSince = System.nanoTime();

  /** Creates an instance for a database that was reached. */
  Reachability(String database) {
    this.database = database;
  }

  /**
   * Notes that a transaction could not reach the database, or lost its connection.
   *
   * @param begunAt when the transaction began, in the time of {@link System#nanoTime}. If that was
   *     before the database was back, the transaction says nothing about the time since
   * @return whether the loss was not known before
   */
  synchronized boolean lost(long begunAt, String why) {
    if (begunAt - backSince < 0 || !lost.raise()) {
      return false;
    }
    LOG.warn("{} was lost; requests are refused until it is back: {}", database, why);
    return true;
  }

  /**
   * Returns whether the database is lost: a transaction could not reach it, and no later one has
   * reached it.
   */
  boolean isLost() {
    return lost.isRaised();
  }

  /** Notes that a transaction was answered. */
  void reached() {
    if (lost.isRaised()) {
      back();
    }
  }

  private synchronized void back() {
    if (lost.isRaised()) {
      backSince = System.nanoTime();
      lost.clear();
      LOG.info("{} is back", database);
    }
  }

  /** Notes that the database has refused a new connection, with the database's message. */
  synchronized void refused(String why) {
    refusedAt = System.nanoTime();
    if (refused.raise(why)) {
      LOG.warn("{} refuses new connections: {}", database, why);
    }
  }

  /** Notes that the database has accepted a new connection. */
  void accepted() {
    if (refused.isRaised()) {
      acceptedAgain();
    }
  }

  private synchronized void acceptedAgain() {
    if (refused.clear().isPresent()) {
      LOG.info("{} accepts new connections again", database);
    }
  }

  /**
   * Returns the message with which the database refused a new connection recently; empty if it
   * refused none.
   *
   * @param maxAge how long ago the refusal may be
   */
  Optional<String> refusal(Duration maxAge) {
    return refused.cause().filter(why -> System.nanoTime() - refusedAt <= maxAge.toNanos());
  }
}
