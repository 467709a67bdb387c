package dev.countersign.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A proxy between client and service that changes messages, as some do. */
final class TamperingRelay implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *([0-9]+)");

  private final ServerSocket listener;
  private final int service;
  private final UnaryOperator<String> change;

  private TamperingRelay(ServerSocket listener, int service, UnaryOperator<String> change) {
    this.listener = listener;
    this.service = service;
    this.change = change;
  }

  /** Starts a relay to a port of this machine; the whole request, head and body, is changed. */
  static TamperingRelay to(int service, UnaryOperator<String> change) throws IOException {
    TamperingRelay relay =
        new TamperingRelay(
            new ServerSocket(0, 50, InetAddress.getByName("localhost")), service, change);
    Thread.ofVirtual().start(relay::accept);
    return relay;
  }

  String url() {
    return "http://localhost:" + listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Thread.ofVirtual().start(() -> pass(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void pass(Socket client) {
    try (client;
        Socket server = new Socket("localhost", service)) {
      String request = change.apply(read(client.getInputStream()));
      String once = request.replaceFirst("\r\n", "\r\nConnection: close\r\n");
      server.getOutputStream().write(once.getBytes(ISO_8859_1));
      server.getInputStream().transferTo(client.getOutputStream());
      client.shutdownOutput();
    } catch (IOException cutOff) {
      // The client sees a broken connection, which its test reports.
    }
  }

  /** One request that is framed by Content-Length or has no body. */
  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    while (!request.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the client ended its request early");
      }
      request.write(next);
    }
    // HttpClient offers HTTP/2 on plain connections, which this relay does not support.
    String head =
        request
            .toString(ISO_8859_1)
            .replaceAll("(?i)\r\n(connection|upgrade|http2-settings):[^\r]*", "");
    Matcher length = LENGTH.matcher(head);
    byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
    return head + new String(body, ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
