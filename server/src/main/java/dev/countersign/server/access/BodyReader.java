package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** Reads the body of a request with a verified signature, within a size and a time limit. */
final class BodyReader {
  private static final int CHUNK = 8 * 1024;

  private final long limit;
  private final Duration timeout;
  private final BodyMemoryLimiter memory;

  BodyReader(long limit, Duration timeout) {
    this.limit = limit;
    this.timeout = timeout;
    this.memory = BodyMemoryLimiter.forBodiesUpTo(limit);
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
   * Reserves memory for the body until the request has completed.
   *
   * @throws DeniedException {@link Reason#OVERLOADED} if the memory is in use by other bodies
   */
  void reserve(HttpServletRequest request) {
    if (ServletMessage.bodyFramingOf(request) != BodyFraming.NONE) {
      long length = request.getContentLengthLong();
      memory.take(request, length < 0 ? limit : length);
    }
  }

  /**
   * Reads the whole body, after {@link #reserve} has reserved memory for it. Returns an empty array
   * if there is no body.
   *
   * @throws DeniedException {@link Reason#BODY_TOO_LARGE}, {@link Reason#BODY_TIMEOUT}, or {@link
   *     Reason#REQUEST_MALFORMED} if the body ends early or its chunks cannot be read
   */
  byte[] read(HttpServletRequest request) {
    if (ServletMessage.bodyFramingOf(request) == BodyFraming.NONE) {
      return new byte[0];
    }
    long length = request.getContentLengthLong();
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      return length < 0
          ? read(request.getInputStream(), deadline)
          : read(request.getInputStream(), (int) length, deadline);
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

  private byte[] read(InputStream in, int length, long deadline) throws IOException {
    byte[] body = new byte[length];
    int count = 0;
    while (count < length) {
      int n = in.read(body, count, Math.min(CHUNK, length - count));
      if (n < 0) {
        throw new EOFException();
      }
      count += n;
      checkTime(deadline);
    }
    return body;
  }

  private byte[] read(InputStream in, long deadline) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream(CHUNK);
    byte[] chunk = new byte[CHUNK];
    for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
      if (n == 0) {
        throw new IOException("the engine stopped at a chunk extension that is too long");
      }
      body.write(chunk, 0, n);
      if (body.size() > limit) {
        throw tooLarge();
      }
      checkTime(deadline);
    }
    return body.toByteArray();
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
