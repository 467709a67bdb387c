package dev.countersign.signatures.httpclient;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.signatures.contract.WireMessage;
import dev.countersign.testing.Waits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Accepts one request, records its bytes, responds with bytes and closes the connection. */
final class RawServer implements AutoCloseable {
  static final WireMessage OK =
      WireMessage.of("HTTP/1.1 200 OK").plus("Content-Length", " 0").plus("Connection", " close");

  private final ServerSocket socket;
  private final CompletableFuture<WireMessage> request = new CompletableFuture<>();

  private RawServer(WireMessage answer) throws IOException {
    socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    socket.setSoTimeout((int) Waits.LIMIT.toMillis());
    Thread thread = new Thread(() -> serve(answer), "raw server");
    thread.setDaemon(true);
    thread.start();
  }

  static RawServer answering(WireMessage answer) throws IOException {
    return new RawServer(answer);
  }

  String url() {
    return "http://localhost:" + socket.getLocalPort();
  }

  int port() {
    return socket.getLocalPort();
  }

  /** Waits for the request. */
  WireMessage request() throws InterruptedException, ExecutionException {
    return Waits.forResult(request);
  }

  private void serve(WireMessage answer) {
    try (Socket connection = socket.accept()) {
      connection.setSoTimeout((int) Waits.LIMIT.toMillis());
      request.complete(read(connection.getInputStream()));
      connection.getOutputStream().write(answer.bytes());
      connection.getOutputStream().flush();
      connection.shutdownOutput();
      connection.getInputStream().readAllBytes();
    } catch (IOException | RuntimeException e) {
      request.completeExceptionally(e);
    }
  }

  /** Reads a whole request: up to the last chunk, or as many bytes as its length says. */
  private static WireMessage read(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    readUntil("\r\n\r\n", in, bytes);
    WireMessage head = WireMessage.parse(bytes.toByteArray());
    if (head.isChunked()) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      body.writeBytes("\r\n".getBytes(ISO_8859_1));
      readUntil("\r\n0\r\n\r\n", in, body);
      return new WireMessage(
          head.startLine(), head.fields(), body.toString(ISO_8859_1).substring(2));
    }
    String length = head.values("content-length").stream().findFirst().orElse("0");
    bytes.writeBytes(in.readNBytes(Integer.parseInt(length)));
    return WireMessage.parse(bytes.toByteArray());
  }

  private static void readUntil(String end, InputStream in, ByteArrayOutputStream bytes)
      throws IOException {
    while (!bytes.toString(ISO_8859_1).endsWith(end)) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the request ended early: " + bytes.toString(ISO_8859_1));
      }
      bytes.write(next);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
