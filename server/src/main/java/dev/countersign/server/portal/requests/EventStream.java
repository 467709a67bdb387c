package dev.countersign.server.portal.requests;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes server-sent events to a browser.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">Server-sent
 *     events</a>
 */
final class EventStream {
  private final OutputStream out;

  EventStream(OutputStream out) {
    this.out = out;
  }

  /** Sends the headers at once, so that the browser knows that it is connected. */
  static EventStream open(HttpServletResponse response) throws IOException {
    response.setContentType("text/event-stream;charset=UTF-8");
    // Otherwise a proxy such as nginx would buffer the events.
    response.setHeader("X-Accel-Buffering", "no");
    response.flushBuffer();
    return new EventStream(response.getOutputStream());
  }

  /** Sends an event. */
  void send(String event, String data) throws IOException {
    write("event: " + event + "\n" + lines(data) + "\n");
  }

  /** Sends an event with an id, which the browser repeats when it reconnects. */
  void send(Object id, String event, String data) throws IOException {
    write("id: " + id + "\nevent: " + event + "\n" + lines(data) + "\n");
  }

  /**
   * Sends a comment: it keeps proxies from timing out, and finds out whether the browser has gone.
   */
  void beat() throws IOException {
    write(": still here\n\n");
  }

  // A carriage return also ends a line. Left in the data, it would let a caller insert events.
  private static String lines(String data) {
    StringBuilder lines = new StringBuilder();
    for (String line : data.split("\r\n|\r|\n", -1)) {
      lines.append("data: ").append(line).append('\n');
    }
    return lines.toString();
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
