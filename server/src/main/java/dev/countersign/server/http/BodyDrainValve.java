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
 * sender whose request is refused then receives the refusal instead of a connection reset. The
 * connection is closed if the rest does not arrive in this time or is chunked.
 *
 * <p>The request is complete when its answer is sent, so it is logged before its body is discarded.
 *
 * <p>Over HTTP/2, this valve discards nothing. Tomcat resets the stream with NO_ERROR after the
 * answer, which tells the sender to stop sending but to keep the answer (RFC 9113 section 8.1).
 *
 * <p>Design note: by default, Tomcat also discards the rest, but each of its reads may wait as long
 * as a whole body may take. A sender that sends nothing, or one byte now and then, could occupy a
 * connection. This valve reads only bytes that have already arrived. It does not parse chunks,
 * because Tomcat's parser would wait if the size of a chunk has arrived only in part.
 */
final class BodyDrainValve extends ValveBase {
  // The maximum number of bytes to discard.
  private static final long MAX_BYTES = 2 * 1024 * 1024;
  // The maximum time to discard bytes, from the end of the answer.
  private static final Duration MAX_TIME = Duration.ofSeconds(2);
  // The pause between two polls doubles as long as nothing arrives. Each poll costs processor time,
  // and thousands of connections may be polled at once.
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration MAX_PAUSE = Duration.ofMillis(250);

  private final RequestLog requestLog;

  BodyDrainValve(RequestLog requestLog) {
    super(true);
    this.requestLog = requestLog;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    getNext().invoke(request, response);
    if (isFullyRead(request) || isBroken(request) || ServletMessage.isHttp2(request)) {
      return;
    }
    response.finishResponse();
    requestLog.logAnswered(request, response);
    if (mayDrain(request, response)) {
      drain(request);
    }
    // If part of the body is still unread, this closes the connection and keeps Tomcat from reading
    // that part itself.
    if (!isFullyRead(request)) {
      request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    }
  }

  private static boolean isFullyRead(Request request) {
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
  private static boolean mayDrain(Request request, Response response) {
    return request.getHeader("Expect") == null
        && response.getStatus() != HttpServletResponse.SC_REQUEST_TIMEOUT;
  }

  private static void drain(Request request) {
    long deadline = System.nanoTime() + MAX_TIME.toNanos();
    try {
      long count = 0;
      int read = 0;
      Duration pause = FIRST_PAUSE;
      while (read >= 0
          && count < MAX_BYTES
          && System.nanoTime() - deadline < 0
          && !isFullyRead(request)) {
        read = poll(request.getCoyoteRequest()) ? discardArrived(request.getCoyoteRequest()) : 0;
        count += read;
        if (read != 0) {
          pause = FIRST_PAUSE;
          continue;
        }
        Thread.sleep(pause);
        pause = pause.multipliedBy(2);
        if (pause.compareTo(MAX_PAUSE) > 0) {
          pause = MAX_PAUSE;
        }
      }
    } catch (IOException e) {
      // The sender has disconnected. The connection closes.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads from the connection without waiting. Returns whether a part of the body has arrived. */
  private static boolean poll(org.apache.coyote.Request request) {
    request.action(ActionCode.AVAILABLE, true);
    return request.getAvailable() > 0;
  }

  /** Discards the bytes that have arrived. Returns their number; -1 at the end of the body. */
  private static int discardArrived(org.apache.coyote.Request request) throws IOException {
    InputBuffer body = request.getInputBuffer();
    if (isChunked(request) && body instanceof Http11InputBuffer raw) {
      ByteBuffer arrived = raw.getByteBuffer();
      int count = arrived.remaining();
      if (count > 0) {
        arrived.position(arrived.limit());
        return count;
      }
    }
    return body.doRead(new DiscardedBytes());
  }

  private static boolean isChunked(org.apache.coyote.Request request) {
    return request.getMimeHeaders().getValue("transfer-encoding") != null;
  }

  /** Receives Tomcat's buffer during one read, and drops it. */
  private static final class DiscardedBytes implements ApplicationBufferHandler {
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
