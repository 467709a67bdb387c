package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import jakarta.servlet.http.HttpServletRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;

/** Reads the body of a request with a verified signature, within a size and a time limit. */
final class BodyReader {
  // The maximum number of bytes per read.
  private static final int CHUNK = 8 * 1024;
  // The memory reserved for a body of which nothing has arrived yet, in bytes.
  private static final int INITIAL_CAPACITY = 1024;

  private final long limit;
  private final Duration timeout;
  private final BodyMemoryLimiter memory;

  BodyReader(long limit, Duration timeout) {
    this.limit = limit;
    this.timeout = timeout;
    this.memory = BodyMemoryLimiter.forBodiesUpTo(limit + 1);
  }

  /** Returns the memory that the bodies of all requests take, in bytes. */
  long memory() {
    return memory.used();
  }

  /**
   * Refuses a request whose Content-Length is too large.
   *
   * @throws DeniedException {@link Reason#BODY_TOO_LARGE}
   */
  void checkLength(HttpServletRequest request) {
    if (request.getContentLengthLong() > limit) {
      throw tooLarge();
    }
  }

  /**
   * Reads the whole body. Memory for it is reserved as it arrives, and stays reserved until the
   * request has completed. Returns an empty array if there is no body.
   *
   * @param clientId the client that signed the request
   * @throws DeniedException {@link Reason#BODY_TOO_LARGE}, {@link Reason#BODY_TIMEOUT}, {@link
   *     Reason#OVERLOADED} if other bodies leave too little memory, or {@link
   *     Reason#REQUEST_MALFORMED} if the body ends early or its chunks cannot be read
   */
  byte[] read(HttpServletRequest request, String clientId) {
    if (ServletMessage.bodyFramingOf(request) == BodyFraming.NONE) {
      return new byte[0];
    }
    BodyMemoryLimiter.Reservation reserved = memory.reserve(request, clientId);
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      return read(request.getInputStream(), request.getContentLengthLong(), reserved, deadline);
    } catch (IOException e) {
      // Over HTTP/2, a read that times out resets the stream, so its exception looks like that of
      // any other failure.
      if (isTimeout(e) || isOver(deadline)) {
        throw timedOut();
      }
      throw new DeniedException(
          Reason.REQUEST_MALFORMED, "the body ended early or its framing is broken");
    }
  }

  /** Tomcat wraps exceptions of the socket. */
  private static boolean isTimeout(IOException e) {
    return e instanceof SocketTimeoutException || e.getCause() instanceof SocketTimeoutException;
  }

  /**
   * Reads a body into an array that grows with it.
   *
   * @param length the length of the body in bytes; negative if it is unknown
   */
  private byte[] read(
      InputStream in, long length, BodyMemoryLimiter.Reservation reserved, long deadline)
      throws IOException {
    // One byte over the limit shows that a body of unknown length is too large.
    int maxCapacity = (int) (length < 0 ? limit + 1 : length);
    byte[] body = new byte[0];
    int count = 0;
    while (length < 0 || count < length) {
      if (count == body.length) {
        int capacity = Math.min(maxCapacity, Math.max(INITIAL_CAPACITY, 2 * body.length));
        reserved.grow(capacity - body.length);
        body = Arrays.copyOf(body, capacity);
      }
      int n = in.read(body, count, Math.min(CHUNK, body.length - count));
      if (n == 0) {
        throw new IOException("the engine stopped at a chunk extension that is too long");
      }
      if (n < 0 && length < 0) {
        break;
      }
      if (n < 0) {
        throw new EOFException();
      }
      count += n;
      if (count > limit) {
        throw tooLarge();
      }
      checkTime(deadline);
    }
    return count == body.length ? body : Arrays.copyOf(body, count);
  }

  /**
   * Checks the time limit of the whole body. Tomcat's connector limits only the time of each read.
   */
  private void checkTime(long deadline) {
    if (isOver(deadline)) {
      throw timedOut();
    }
  }

  private static boolean isOver(long deadline) {
    return System.nanoTime() - deadline >= 0;
  }

  private DeniedException tooLarge() {
    return new DeniedException(
        Reason.BODY_TOO_LARGE, "the body must have at most " + limit + " bytes");
  }

  private DeniedException timedOut() {
    return new DeniedException(
        Reason.BODY_TIMEOUT, "the body must arrive within " + timeout.toSeconds() + " s");
  }
}
