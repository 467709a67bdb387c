package dev.countersign.server.portal.requests;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes events to a browser as they happen.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">Server-sent
 *     events</a>
 */
final class EventStream {
  private final OutputStream out;

  EventStream(OutputStream out) {
    this.out = out;
  }

  /** Begins the answer, so that the browser knows that it is connected. */
  static EventStream open(HttpServletResponse response) throws IOException {
    response.setContentType("text/event-stream;charset=UTF-8");
    // A proxy such as nginx would hold events back.
    response.setHeader("X-Accel-Buffering", "no");
    response.flushBuffer();
    return new EventStream(response.getOutputStream());
  }

  /** An event. */
  void send(String event, String data) throws IOException {
    write("event: " + event + "\n" + lines(data) + "\n");
  }

  /** An event with an id, which the browser says when it has to connect again. */
  void send(long id, String event, String data) throws IOException {
    write("id: " + id + "\nevent: " + event + "\n" + lines(data) + "\n");
  }

  /** Something that is no event: it keeps proxies from giving up, and finds out who has gone. */
  void beat() throws IOException {
    write(": still here\n\n");
  }

  // A carriage return ends a line as well: whoever could write one could write an event.
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
