package dev.countersign.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;

/** A connection that stays open, and shows what comes back as it comes. */
final class RawConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  RawConnection(int port) throws IOException {
    socket = new Socket("localhost", port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
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

  void readAtMost(Duration time) throws IOException {
    socket.setSoTimeout((int) time.toMillis());
  }

  /** One answer whose length its head tells; an interim answer has none. */
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

  /** Whatever comes until the end. */
  String readAll() throws IOException {
    return new String(in.readAllBytes(), ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
