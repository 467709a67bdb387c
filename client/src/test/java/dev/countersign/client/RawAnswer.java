package dev.countersign.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that sends the same bytes to every client, whatever the request. */
final class RawAnswer implements AutoCloseable {
  private final ServerSocket listening;
  private final byte[] answer;
  private final boolean closes;
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  private RawAnswer(String answer, boolean closes) throws IOException {
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.answer = answer.getBytes(ISO_8859_1);
    this.closes = closes;
    Thread thread = new Thread(this::serve, "raw-answer");
    thread.setDaemon(true);
    thread.start();
  }

  /** Closes the connection afterwards. */
  static RawAnswer closed(String answer) throws IOException {
    return new RawAnswer(answer, true);
  }

  /** Sends nothing more, and keeps the connection open. */
  static RawAnswer leftOpen(String answer) throws IOException {
    return new RawAnswer(answer, false);
  }

  private void serve() {
    try {
      while (true) {
        Socket socket = listening.accept();
        open.add(socket);
        readHead(socket);
        socket.getOutputStream().write(answer);
        socket.getOutputStream().flush();
        if (closes) {
          socket.close();
        }
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  private static void readHead(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    int next = socket.getInputStream().read();
    while (next >= 0) {
      head.append((char) next);
      if (head.length() >= 4 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
        return;
      }
      next = socket.getInputStream().read();
    }
  }

  URI uri() {
    return URI.create("http://localhost:" + listening.getLocalPort());
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
