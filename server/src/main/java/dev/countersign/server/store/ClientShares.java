package dev.countersign.server.store;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many connections of a pool one client uses at the same time, so that a client whose
 * requests are slow leaves the rest of the pool to the others. Clients that use none take no
 * memory.
 *
 * <p>Use it for a resource that a request holds while it waits for something else. A limit on the
 * number of requests would not limit how long they hold it.
 *
 * <p>The number is a setting, {@code connections.client-share}. By default it is half of the pool:
 * one slow client then takes no more than half of it from the others.
 */
final class ClientShares {
  private final int limit;
  private final Map<String, Share> shares = new ConcurrentHashMap<>();

  /**
   * Creates the limit.
   *
   * @param size the number of connections in the pool
   * @param percent the part of the pool that one client may use, 1 to 100; at least one connection
   */
  ClientShares(int size, int percent) {
    this.limit = Math.max(1, size * percent / 100);
  }

  /** Returns the maximum number of connections of one client. */
  int limit() {
    return limit;
  }

  /**
   * Takes one of the client's connections, which {@link #release} must give back.
   *
   * @param timeout how long to wait while the client uses all of its share
   * @return whether the client may use a connection
   */
  boolean acquire(String clientId, Duration timeout) {
    Share share =
        shares.compute(
            clientId,
            (id, known) -> {
              Share joined = known == null ? new Share(limit) : known;
              joined.users++;
              return joined;
            });
    boolean acquired = false;
    try {
      acquired = share.free.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return acquired;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      if (!acquired) {
        leave(clientId);
      }
    }
  }

  /** Gives back a connection of the client. */
  void release(String clientId) {
    Share share = shares.get(clientId);
    if (share == null) {
      throw new IllegalStateException("the client uses no connection: " + clientId);
    }
    share.free.release();
    leave(clientId);
  }

  private void leave(String clientId) {
    shares.computeIfPresent(clientId, (id, share) -> share.removeUser() ? null : share);
  }

  /** The share of a client, in first-come order, and how many use it or wait for it. */
  private static final class Share {
    private final Semaphore free;
    private int users;

    Share(int limit) {
      this.free = new Semaphore(limit, true);
    }

    /** Removes a user, and returns whether nobody uses the share any more. */
    boolean removeUser() {
      users--;
      return users == 0;
    }
  }
}
