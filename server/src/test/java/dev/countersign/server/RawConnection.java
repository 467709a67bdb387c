package dev.countersign.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.testing.Waits;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;

/** A persistent connection that shows the received bytes as they arrive. */
final class RawConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  RawConnection(int port) throws IOException {
    socket = new Socket("localhost", port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) Waits.LIMIT.toMillis());
    in = new BufferedInputStream(socket.getInputStream());
  }

  RawConnection send(String text) throws IOException {
    return send(text.getBytes(ISO_8859_1));
  }

  RawConnection send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  RawConnection endOutput() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /**
   * Waits a moment for a response to begin or for the connection to end. The wait may run out; the
   * caller then asks again.
   */
  boolean hasAnswer() throws IOException {
    int limit = socket.getSoTimeout();
    socket.setSoTimeout(200);
    in.mark(1);
    try {
      in.read();
      in.reset();
      return true;
    } catch (SocketTimeoutException notYet) {
      return false;
    } finally {
      socket.setSoTimeout(limit);
    }
  }

  /** One response whose head gives its length; an interim response has no body. */
  RawResponse read() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return RawResponse.parse("");
      }
      head.write(next);
    }
    RawResponse response = RawResponse.parse(head.toString(ISO_8859_1));
    String length = response.header("content-length");
    byte[] body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
    return new RawResponse(response.status(), response.headers(), new String(body, ISO_8859_1));
  }

  /** Everything until the end. */
  String readAll() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] chunk = new byte[8192];
    try {
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        all.write(chunk, 0, n);
      }
    } catch (SocketException reset) {
      // The service may close while a refused body is still being sent; the response came earlier.
    }
    return all.toString(ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
