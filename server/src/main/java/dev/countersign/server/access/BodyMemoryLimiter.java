package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import jakarta.servlet.ServletRequest;
import java.util.concurrent.Semaphore;

/**
 * Limits the memory for the bodies of all requests in flight to a quarter of the heap.
 *
 * <p>Design note: the memory is held until the request has completed, not only while its body is
 * read, because a write that waits for the database keeps its body.
 */
final class BodyMemoryLimiter {
  private static final String ATTRIBUTE = BodyMemoryLimiter.class.getName();
  private static final long KIB = 1024;

  private final Semaphore free;

  BodyMemoryLimiter(long bytes) {
    free = new Semaphore(kibibytes(bytes));
  }

  /**
   * Creates a limit of a quarter of the heap, or of the size of the largest body if that is larger.
   */
  static BodyMemoryLimiter forBodiesUpTo(long limit) {
    return new BodyMemoryLimiter(Math.max(Runtime.getRuntime().maxMemory() / 4, limit));
  }

  /**
   * Reserves memory for a body until {@link #release}.
   *
   * @throws DeniedException {@link Reason#OVERLOADED} if other bodies leave too little memory
   */
  void take(ServletRequest request, long bytes) {
    int wanted = kibibytes(bytes);
    if (!free.tryAcquire(wanted)) {
      throw Denial.of(
              Reason.OVERLOADED,
              "the service is processing too many bodies at the moment; try again")
          .withHeader("Retry-After", "1")
          .asException();
    }
    Runnable release = () -> free.release(wanted);
    request.setAttribute(ATTRIBUTE, release);
  }

  /** Releases the memory that a request reserved, if any. */
  static void release(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Runnable release) {
      request.removeAttribute(ATTRIBUTE);
      release.run();
    }
  }

  private static int kibibytes(long bytes) {
    return (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(bytes, KIB));
  }
}
