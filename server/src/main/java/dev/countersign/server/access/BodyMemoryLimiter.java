package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import jakarta.servlet.ServletRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory for the bodies of all requests in flight to a quarter of the heap, and that of
 * one client to half of it. Memory is reserved while a body arrives, so a body that was announced
 * but not sent takes at most 1 KiB.
 *
 * <p>Use it for data that a caller makes the service hold in memory before the service knows
 * whether the request is valid.
 *
 * <p>The numbers: a body is held as bytes and, while it is parsed, also as text and as a tree, so a
 * quarter of the heap for the bytes leaves room for the rest. With half of that, one client can
 * send large bodies, and as much remains for all the others together.
 *
 * <p>Design note: the memory is held until the request has completed, not only while its body is
 * read, because a write that waits for the database keeps its body.
 */
public final class BodyMemoryLimiter {
  private static final String ATTRIBUTE = BodyMemoryLimiter.class.getName();

  private final long total;
  private final long share;
  private final AtomicLong free;
  private final Map<String, Long> usedByClient = new ConcurrentHashMap<>();

  /**
   * Creates a limit.
   *
   * @param total the limit for all bodies, in bytes
   * @param share the limit for the bodies of one client, in bytes
   */
  BodyMemoryLimiter(long total, long share) {
    this.total = total;
    this.free = new AtomicLong(total);
    this.share = share;
  }

  /**
   * Creates a limit of a quarter of the heap, and half of that for one client. Each is at least the
   * size of the largest body.
   */
  static BodyMemoryLimiter forBodiesUpTo(long largest) {
    long total = Math.max(Runtime.getRuntime().maxMemory() / 4, largest);
    return new BodyMemoryLimiter(total, Math.max(total / 2, largest));
  }

  /** Returns the memory that is reserved, in bytes. */
  long used() {
    return total - free.get();
  }

  /** Starts a reservation, at 0 bytes, that lasts until {@link #release}. */
  Reservation reserve(ServletRequest request, String clientId) {
    Reservation reservation = new Reservation(clientId);
    request.setAttribute(ATTRIBUTE, reservation);
    return reservation;
  }

  /** Releases the memory that a request reserved, if any. */
  public static void release(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Reservation reservation) {
      request.removeAttribute(ATTRIBUTE);
      reservation.end();
    }
  }

  private void take(String clientId, long bytes) {
    if (usedByClient.merge(clientId, bytes, Long::sum) > share) {
      giveBackShare(clientId, bytes);
      throw overloaded("the service is processing too many bodies of this client at the moment");
    }
    if (free.addAndGet(-bytes) < 0) {
      giveBack(clientId, bytes);
      throw overloaded("the service is processing too many bodies at the moment");
    }
  }

  private void giveBack(String clientId, long bytes) {
    free.addAndGet(bytes);
    giveBackShare(clientId, bytes);
  }

  private void giveBackShare(String clientId, long bytes) {
    usedByClient.computeIfPresent(clientId, (id, used) -> used > bytes ? used - bytes : null);
  }

  private static DeniedException overloaded(String problem) {
    return Denial.of(Reason.OVERLOADED, problem + "; try again")
        .withHeader("Retry-After", "1")
        .asException();
  }

  /** The memory of one body. One thread at a time uses it. */
  final class Reservation {
    private final String clientId;
    private long bytes;

    private Reservation(String clientId) {
      this.clientId = clientId;
    }

    /**
     * Reserves more memory.
     *
     * @throws DeniedException {@link Reason#OVERLOADED} if the bodies of this client, or of all
     *     clients, leave too little memory
     */
    void grow(long more) {
      take(clientId, more);
      bytes += more;
    }

    private void end() {
      giveBack(clientId, bytes);
      bytes = 0;
    }
  }
}
