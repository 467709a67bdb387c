package dev.countersign.server.http;

import dev.countersign.server.access.ServletMessage;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.http11.Http11InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/**
 * Discards the rest of a body after the answer is sent: at most 2 MiB, for at most 2 s in total. A
 * sender whose request is refused then receives the refusal instead of a connection reset. If the
 * rest does not arrive in this time, or is chunked, the connection is closed.
 *
 * <p>Over HTTP/2 nothing is discarded. Tomcat resets the stream with NO_ERROR after the answer,
 * which tells the sender to stop sending but to keep the answer (RFC 9113 section 8.1).
 *
 * <p>Design note: Tomcat would also discard the rest, but it limits only the time of each read, to
 * the time for a whole body. A sender that sends nothing, or one byte now and then, could hold a
 * connection. This valve reads only what has arrived. It does not parse chunks, because Tomcat's
 * parser waits for the rest of a chunk's size.
 */
final class BodyDrainValve extends ValveBase {
  // The maximum number of bytes to discard.
  private static final long MOST = 2 * 1024 * 1024;
  // The maximum time from the answer until the discarding ends.
  private static final Duration LONGEST = Duration.ofSeconds(2);
  // The pauses before it looks again whether more has arrived: the first, and the longest, because
  // each look costs processor time, and there may be thousands of such connections.
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

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
      drop(request);
    }
    // If part of the body is still unread, this closes the connection and keeps Tomcat from reading
    // that part itself.
    if (!isRead(request)) {
      request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    }
  }

  private static boolean isRead(Request request) {
    AtomicBoolean read = new AtomicBoolean();
    request.getCoyoteRequest().action(ActionCode.REQUEST_BODY_FULLY_READ, read);
    return read.get();
  }

  /** Returns whether Tomcat has given up the connection. The end of the body is then unknown. */
  private static boolean isBroken(Request request) {
    AtomicBoolean broken = new AtomicBoolean();
    request.getCoyoteRequest().action(ActionCode.IS_ERROR, broken);
    return broken.get();
  }

  /**
   * Returns whether to read the rest of the body. A sender that waits for 100 (Continue) sends
   * nothing, and a sender that received 408 has already used up its time.
   */
  private static boolean mayDrop(Request request, Response response) {
    return request.getHeader("Expect") == null
        && response.getStatus() != HttpServletResponse.SC_REQUEST_TIMEOUT;
  }

  private static void drop(Request request) {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    try {
      long count = 0;
      int read = 0;
      Duration pause = FIRST_PAUSE;
      while (read >= 0 && count < MOST && System.nanoTime() - deadline < 0 && !isRead(request)) {
        read = isThere(request.getCoyoteRequest()) ? dropOnce(request.getCoyoteRequest()) : 0;
        count += read;
        if (read != 0) {
          pause = FIRST_PAUSE;
          continue;
        }
        Thread.sleep(pause);
        pause = pause.multipliedBy(2);
        if (pause.compareTo(LONGEST_PAUSE) > 0) {
          pause = LONGEST_PAUSE;
        }
      }
    } catch (IOException e) {
      // The sender has disconnected. The connection closes.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads without waiting, and returns whether a part of the body has arrived. */
  private static boolean isThere(org.apache.coyote.Request request) {
    request.action(ActionCode.AVAILABLE, true);
    return request.getAvailable() > 0;
  }

  /** Drops what has arrived, and returns the number of bytes; -1 at the end of the body. */
  private static int dropOnce(org.apache.coyote.Request request) throws IOException {
    InputBuffer body = request.getInputBuffer();
    if (isChunked(request) && body instanceof Http11InputBuffer raw) {
      ByteBuffer arrived = raw.getByteBuffer();
      int count = arrived.remaining();
      if (count > 0) {
        arrived.position(arrived.limit());
        return count;
      }
    }
    return body.doRead(new Dropped());
  }

  private static boolean isChunked(org.apache.coyote.Request request) {
    return request.getMimeHeaders().getValue("transfer-encoding") != null;
  }

  /** Holds Tomcat's buffer during one read. */
  private static final class Dropped implements ApplicationBufferHandler {
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    @Override
    public void setByteBuffer(ByteBuffer buffer) {
      bytes = buffer;
    }

    @Override
    public ByteBuffer getByteBuffer() {
      return bytes;
    }

    @Override
    public void expand(int size) {
      // The bytes are not kept, so they need no space.
    }
  }
}
