package dev.countersign.server.tomcat;

import dev.countersign.server.access.ServletMessage;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/**
 * Discards the rest of a body after the answer is sent, so that the sender receives a refusal
 * instead of a connection reset: up to 2 MiB, for at most 5 s in all.
 *
 * <p>Over HTTP/2 nothing is discarded. The engine resets the stream with NO_ERROR after the answer:
 * the sender stops sending and must not discard the answer (RFC 9113 section 8.1).
 *
 * <p>Design note: the engine would do the same, but limits only the time of each read. A sender of
 * one byte now and then could keep a connection for days.
 */
final class BodyDrainValve extends ValveBase {
  private static final long MOST = 2 * 1024 * 1024;
  private static final Duration LONGEST = Duration.ofSeconds(5);

  BodyDrainValve() {
    super(true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    getNext().invoke(request, response);
    if (isRead(request) || isBroken(request) || ServletMessage.isHttp2(request)) {
      return;
    }
    response.finishResponse();
    if (mayDrop(request, response)) {
      drop(request.getCoyoteRequest().getInputBuffer(), request);
    }
    // The connection closes if the body is incomplete, so the engine does not have to read it
    // again.
    if (!isRead(request)) {
      request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    }
  }

  private static boolean isRead(Request request) {
    AtomicBoolean read = new AtomicBoolean();
    request.getCoyoteRequest().action(ActionCode.REQUEST_BODY_FULLY_READ, read);
    return read.get();
  }

  /** Returns whether the engine has given up the connection. Then the end of a body is unknown. */
  private static boolean isBroken(Request request) {
    AtomicBoolean broken = new AtomicBoolean();
    request.getCoyoteRequest().action(ActionCode.IS_ERROR, broken);
    return broken.get();
  }

  /**
   * Returns whether to read the body: a sender that waits for 100 (Continue) sends nothing, and the
   * time of one that got a 408 is up.
   */
  private static boolean mayDrop(Request request, Response response) {
    return request.getHeader("Expect") == null
        && response.getStatus() != HttpServletResponse.SC_REQUEST_TIMEOUT;
  }

  private static void drop(InputBuffer body, Request request) {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    Dropped dropped = new Dropped();
    try {
      long count = 0;
      int read = 1;
      // A read of 0 bytes: the engine has stopped at a chunk extension and will not continue.
      while (read > 0 && count < MOST && System.nanoTime() - deadline < 0 && !isRead(request)) {
        read = body.doRead(dropped);
        count += read;
      }
    } catch (IOException e) {
      // The sender has disconnected or stopped sending: the connection closes in both cases.
    }
  }

  /** Holds the engine's buffer during one read. */
  private static final class Dropped implements ApplicationBufferHandler {
    private final AtomicReference<ByteBuffer> bytes = new AtomicReference<>(ByteBuffer.allocate(0));

    @Override
    public void setByteBuffer(ByteBuffer buffer) {
      bytes.set(buffer);
    }

    @Override
    public ByteBuffer getByteBuffer() {
      return bytes.get();
    }

    @Override
    public void expand(int size) {
      // Nothing is kept.
    }
  }
}
