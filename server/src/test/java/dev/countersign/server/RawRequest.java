package dev.countersign.server;

import dev.countersign.testing.Waits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request as the bytes on the socket, so that tests can change any of them.
 *
 * @param headers in the order sent, one line each
 */
public record RawRequest(
    int port, String method, String target, Map<String, String> headers, String body) {

  /** Returns this request with another value of the header with this name, in any case. */
  public RawRequest with(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(headers);
    changed.put(spelled(name), value);
    return new RawRequest(port, method, target, changed, body);
  }

  /** Returns this request with one more line of the header, after those that it has. */
  RawRequest withLine(String name, String value) {
    String before = header(name);
    return with(name, before.isEmpty() ? value : before + "\r\n" + name + ": " + value);
  }

  public RawRequest without(String name) {
    Map<String, String> changed = new LinkedHashMap<>(headers);
    changed.remove(spelled(name));
    return new RawRequest(port, method, target, changed, body);
  }

  private String spelled(String name) {
    return headers.keySet().stream().filter(name::equalsIgnoreCase).findFirst().orElse(name);
  }

  public RawRequest withMethod(String other) {
    return new RawRequest(port, other, target, headers, body);
  }

  public RawRequest withTarget(String other) {
    return new RawRequest(port, method, other, headers, body);
  }

  /** Returns this request with another body; Content-Length follows it. */
  public RawRequest withBody(String other) {
    int length = other.getBytes(StandardCharsets.UTF_8).length;
    return new RawRequest(port, method, target, headers, other)
        .with("Content-Length", String.valueOf(length));
  }

  public String header(String name) {
    return headers.getOrDefault(spelled(name), "");
  }

  /** The whole request as text. */
  public String text() {
    StringBuilder text = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    headers.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    return text + "\r\n" + body;
  }

  /** Sends the request on its own connection and reads the one response. */
  public RawResponse send() {
    return send(port, text());
  }

  /** Sends any text in UTF-8 and reads the one response until the connection ends. */
  public static RawResponse send(int port, String text) {
    String once = text.replaceFirst("\r\n", "\r\nConnection: close\r\n");
    try (Socket socket = new Socket("localhost", port)) {
      socket.setSoTimeout((int) Waits.LIMIT.multipliedBy(2).toMillis());
      write(socket.getOutputStream(), once.getBytes(StandardCharsets.UTF_8));
      return RawResponse.parse(readAll(socket.getInputStream()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(OutputStream out, byte[] bytes) throws IOException {
    try {
      out.write(bytes);
      out.flush();
    } catch (SocketException closed) {
      // The service may close before it has received all of a refused body; the response came
      // earlier.
    }
  }

  private static String readAll(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] chunk = new byte[8192];
    try {
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        all.write(chunk, 0, n);
      }
    } catch (SocketException reset) {
      // The service may close while a refused body is still being sent; the response came earlier.
    }
    return all.toString(StandardCharsets.UTF_8);
  }
}
