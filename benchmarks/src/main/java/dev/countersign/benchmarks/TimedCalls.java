package dev.countersign.benchmarks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends GET requests one after the other, over a connection that stays open until the service
 * closes it. A request is signed before its time is taken, and the response is only read to its
 * end, so that the client adds little to the time.
 */
final class TimedCalls implements AutoCloseable {
  private static final String LENGTH = "\r\ncontent-length: ";
  private static final String CLOSE = "\r\nconnection: close\r\n";
  private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

  private final String url;
  private final @Nullable MessageSigner signer;
  private final byte[] buffer = new byte[1 << 20];
  private @Nullable Socket connected;
  private int length;

  /**
   * Prepares calls without signatures. The first call connects to the service.
   *
   * @param url the URL of the service, such as {@code http://127.0.0.1:8080}
   */
  TimedCalls(String url) {
    this.url = url;
    this.signer = null;
  }

  /**
   * Prepares signed calls. The first call connects to the service.
   *
   * @param url the URL of the service, such as {@code http://127.0.0.1:8080}
   * @param clientId the clientId of the caller
   * @param privateKey the file with the caller's key
   */
  TimedCalls(String url, String clientId, Path privateKey) throws IOException {
    this.url = url;
    this.signer = PresignedRequests.signer(clientId, privateKey);
  }

  private Socket connection() throws IOException {
    if (connected != null) {
      return connected;
    }
    URI service = URI.create(url);
    Socket socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(service.getHost(), service.getPort()));
    connected = socket;
    return socket;
  }

  /**
   * Returns a GET request for this path and query. If it is signed, the signature is valid for five
   * minutes from now.
   */
  byte[] get(String target) {
    Map<String, String> headers =
        signer == null
            ? Map.of()
            : SignableRequest.of("GET", url + target, Instant.now()).signedHeaders(signer);
    StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\n");
    request.append("Host: ").append(URI.create(url).getAuthority()).append("\r\n");
    headers.forEach(
        (name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
    return request.append("\r\n").toString().getBytes(ISO_8859_1);
  }

  /**
   * Sends a request and reads the response. If a connection that was used before ends before the
   * first byte of the response, sends the request again on a new one.
   *
   * @return the nanoseconds from the request's first byte to the last byte of the response
   * @throws IOException if the response has another status, or the connection ends
   */
  long call(byte[] request, int status) throws IOException {
    boolean isReused = connected != null;
    long took;
    try {
      took = exchange(request);
    } catch (IOException ended) {
      // A server ends connections that nobody has used for a while.
      if (!isReused || length > 0) {
        throw ended;
      }
      took = exchange(request);
    }
    String answer = answer();
    if (answer.toLowerCase(Locale.ROOT).contains(CLOSE)) {
      close();
    }
    if (!answer.startsWith("HTTP/1.1 " + status + " ")) {
      throw new IOException("the response must have status " + status + ", was " + answer);
    }
    return took;
  }

  private long exchange(byte[] request) throws IOException {
    length = 0;
    Socket socket = connection();
    try {
      long began = System.nanoTime();
      socket.getOutputStream().write(request);
      read(socket.getInputStream());
      return System.nanoTime() - began;
    } catch (IOException ended) {
      close();
      throw ended;
    }
  }

  /** Returns the response to the last call, with its header fields. */
  String answer() {
    return text(0, length);
  }

  private void read(InputStream in) throws IOException {
    int end = -1;
    boolean isChunked = false;
    while (true) {
      int more = in.read(buffer, length, buffer.length - length);
      if (more <= 0) {
        throw new EOFException("the connection ended after " + text(0, length));
      }
      length += more;
      if (end < 0 && !isChunked) {
        int head = text(0, length).indexOf("\r\n\r\n");
        if (head < 0) {
          continue;
        }
        String fields = text(0, head).toLowerCase(Locale.ROOT) + "\r\n";
        int at = fields.indexOf(LENGTH);
        isChunked = at < 0;
        if (!isChunked) {
          int value = at + LENGTH.length();
          end = head + 4 + Integer.parseInt(fields.substring(value, fields.indexOf('\r', value)));
        }
      }
      boolean isComplete =
          isChunked
              ? text(Math.max(0, length - LAST_CHUNK.length()), length).equals(LAST_CHUNK)
              : length >= end;
      if (isComplete) {
        return;
      }
    }
  }

  private String text(int from, int to) {
    return new String(buffer, from, to - from, ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    if (connected != null) {
      connected.close();
      connected = null;
    }
  }
}
