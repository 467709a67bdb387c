package dev.countersign.server.portal.requests;

import dev.countersign.server.TestService;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Collectors;

/** A live view at the other end of a socket, without a browser. */
final class OpenStream implements AutoCloseable {
  private final Socket socket;
  private final StringBuilder received = new StringBuilder();
  private boolean ended;

  private OpenStream(Socket socket) {
    this.socket = socket;
  }

  /** Opens a stream; further header lines each end with a line break. */
  static OpenStream open(TestService service, PortalClient who, String query, String headers)
      throws IOException {
    String cookies =
        who.cookies().entrySet().stream()
            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
            .collect(Collectors.joining("; "));
    int port = URI.create(service.portalUrl()).getPort();
    OpenStream stream = new OpenStream(new Socket("localhost", port));
    stream
        .socket
        .getOutputStream()
        .write(
            ("GET /portal/requests/live"
                    + query
                    + " HTTP/1.1\r\nHost: localhost:"
                    + port
                    + "\r\nAccept: text/event-stream\r\nCookie: "
                    + cookies
                    + "\r\n"
                    + headers
                    + "\r\n")
                .getBytes(StandardCharsets.UTF_8));
    stream.await("\r\n\r\n", Waits.LIMIT);
    return stream;
  }

  /** Returns everything received, once it contains a text. */
  String await(String text, Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    while (received.indexOf(text) < 0) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0 || !readSome((int) left)) {
        throw new AssertionError("no " + text + " within " + time + " in\n" + received);
      }
    }
    return received.toString();
  }

  /** Returns everything received within a time. */
  String during(Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toMillis(); left > 0; left = (end - System.nanoTime()) / 1_000_000) {
      if (!readSome((int) left)) {
        break;
      }
    }
    return received.toString();
  }

  /** Waits for the last chunk, or the end of the connection. */
  void awaitEnd(Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    while (!ended && received.indexOf("\r\n0\r\n\r\n") < 0) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError("no end within " + time + " of\n" + received);
      }
      readSome((int) left);
    }
  }

  private boolean readSome(int millis) throws IOException {
    socket.setSoTimeout(millis);
    byte[] some = new byte[8192];
    InputStream in = socket.getInputStream();
    try {
      int n = in.read(some);
      if (n > 0) {
        received.append(new String(some, 0, n, StandardCharsets.UTF_8));
      }
      ended = n < 0;
      return n > 0;
    } catch (SocketTimeoutException late) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
