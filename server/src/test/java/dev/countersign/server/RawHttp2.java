package dev.countersign.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.testing.Waits;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An HTTP/2 connection with prior knowledge (RFC 9113 section 3.3) that sends arbitrary frames.
 * Fields are sent as literals (RFC 7541 section 6.2.2). The fields of a response are not decoded,
 * because its body says enough.
 */
final class RawHttp2 implements AutoCloseable {
  /**
   * RFC 7541 appendix A: the engine accepts the names of pseudo-header fields only from this table.
   */
  private static final Map<String, Integer> STATIC_NAMES =
      Map.of(":authority", 1, ":method", 2, ":path", 4, ":scheme", 6);

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int END_HEADERS = 4;

  private final Socket socket;
  private final DataInputStream in;

  RawHttp2(int port) throws IOException {
    socket = new Socket("localhost", port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) Waits.LIMIT.toMillis());
    in = new DataInputStream(socket.getInputStream());
    socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
    frame(SETTINGS, 0, 0, new byte[0]);
  }

  /**
   * The end of a stream.
   *
   * @param interim the number of interim responses before it
   * @param reset the error code of a RST_STREAM or GOAWAY instead of the end of the response, -1
   *     for the end of the connection; null if the response is complete
   */
  record Answer(int interim, String body, @Nullable Long reset) {
    JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }

    /** The status of a problem document. */
    int status() {
      return json().path("status").asInt();
    }

    String reason() {
      return json().path("reason").asString("");
    }
  }

  /** Sends HEADERS with alternating names and values. */
  RawHttp2 headers(int stream, boolean end, String... fields) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < fields.length; i += 2) {
      field(fields[i], fields[i + 1], block);
    }
    return frame(HEADERS, END_HEADERS | (end ? END_STREAM : 0), stream, block.toByteArray());
  }

  /** Sends a request that was built for HTTP/1.1, without its Content-Length. */
  RawHttp2 headers(int stream, boolean end, RawRequest request, String... more) throws IOException {
    List<String> fields = new ArrayList<>();
    Collections.addAll(fields, ":method", request.method(), ":scheme", "http");
    Collections.addAll(fields, ":authority", request.header("Host"), ":path", request.target());
    request.headers().forEach((name, value) -> addField(name, value, fields));
    Collections.addAll(fields, more);
    return headers(stream, end, fields.toArray(String[]::new));
  }

  private static void addField(String name, String value, List<String> fields) {
    if (!name.equals("Host") && !name.equals("Content-Length")) {
      Collections.addAll(fields, name.toLowerCase(Locale.ROOT), value);
    }
  }

  private static void field(String name, String value, ByteArrayOutputStream block) {
    int index = STATIC_NAMES.getOrDefault(name, 0);
    block.write(index);
    if (index == 0) {
      text(name, block);
    }
    text(value, block);
  }

  /** RFC 7541 section 5.2: a length with a prefix of 7 bits, then the octets unchanged. */
  private static void text(String text, ByteArrayOutputStream block) {
    byte[] octets = text.getBytes(ISO_8859_1);
    if (octets.length < 127) {
      block.write(octets.length);
    } else {
      block.write(127);
      int rest = octets.length - 127;
      for (; rest >= 128; rest >>= 7) {
        block.write((rest & 127) | 128);
      }
      block.write(rest);
    }
    block.writeBytes(octets);
  }

  RawHttp2 data(int stream, boolean end, String text) throws IOException {
    return frame(DATA, end ? END_STREAM : 0, stream, text.getBytes(ISO_8859_1));
  }

  private RawHttp2 frame(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    socket.getOutputStream().write(frame.array());
    socket.getOutputStream().flush();
    return this;
  }

  /** Waits for an interim response. */
  void awaitInterim(int stream) throws IOException {
    while (true) {
      Frame frame = read();
      if (frame.stream == stream && frame.type == HEADERS && (frame.flags & END_STREAM) == 0) {
        return;
      }
    }
  }

  /** Reads until a stream has ended, and ignores the frames of others. */
  Answer answer(int stream) throws IOException {
    int heads = 0;
    StringBuilder body = new StringBuilder();
    while (true) {
      Frame frame = read();
      if (frame.type == GOAWAY) {
        String debug = new String(frame.payload, 8, frame.payload.length - 8, ISO_8859_1);
        return new Answer(0, debug, frame.number(4));
      }
      if (frame.type < 0) {
        return new Answer(0, body.toString(), -1L);
      }
      if (frame.stream != stream) {
        continue;
      }
      if (frame.type == RST_STREAM) {
        return new Answer(0, body.toString(), frame.number(0));
      }
      heads += frame.type == HEADERS ? 1 : 0;
      if (frame.type == DATA) {
        body.append(new String(frame.payload, ISO_8859_1));
      }
      if ((frame.type == DATA || frame.type == HEADERS) && (frame.flags & END_STREAM) != 0) {
        return new Answer(Math.max(heads - 1, 0), body.toString(), null);
      }
    }
  }

  /** The next frame; its type is -1 at the end of the connection. */
  private Frame read() throws IOException {
    int high = nextOctet();
    if (high < 0) {
      return new Frame(-1, 0, 0, new byte[0]);
    }
    int length = high << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    Frame frame = new Frame(type, flags, in.readInt(), in.readNBytes(length));
    if ((type == SETTINGS || type == PING) && (flags & ACK) == 0) {
      acknowledge(type, type == PING ? frame.payload : new byte[0]);
    }
    return frame;
  }

  /** A reset after the last frame ends the connection like a close. */
  private int nextOctet() throws IOException {
    try {
      return in.read();
    } catch (SocketException ended) {
      return -1;
    }
  }

  /** The peer may have closed already; what it sent before can still be read. */
  private void acknowledge(int type, byte[] payload) throws IOException {
    try {
      frame(type, ACK, 0, payload);
    } catch (SocketException ended) {
      return;
    }
  }

  private record Frame(int type, int flags, int stream, byte[] payload) {
    long number(int at) {
      return Integer.toUnsignedLong(ByteBuffer.wrap(payload).getInt(at));
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
