package dev.countersign.signatures.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import java.util.ArrayList;
import java.util.List;

/**
 * An HTTP/1.1 message as its bytes, one character each, split at line ends and colons and not
 * parsed any further.
 *
 * @param body everything after the head, in chunks if it is chunked
 */
public record WireMessage(String startLine, List<Field> fields, String body) {

  /**
   * One field.
   *
   * @param value everything after the colon, with its blanks and folded lines
   */
  public record Field(String name, String value) {
    boolean isNamed(String other) {
      return name.equalsIgnoreCase(other);
    }

    /** RFC 9421 section 2.1: folds are one space each, and blanks at the ends do not count. */
    String plainValue() {
      return plain(value);
    }
  }

  static String plain(String value) {
    return value.replaceAll("[ \t]*\r\n[ \t]+", " ").replaceAll("^[ \t]+|[ \t]+$", "");
  }

  /** A message with only a start line. */
  public static WireMessage of(String startLine) {
    return new WireMessage(startLine, List.of(), "");
  }

  public static WireMessage parse(byte[] wire) {
    String text = new String(wire, ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IllegalArgumentException("not a whole message: " + text);
    }
    String[] lines = text.substring(0, end).split("\r\n(?![ \t])");
    return new WireMessage(
        lines[0], fields(List.of(lines).subList(1, lines.length)), text.substring(end + 4));
  }

  private static List<Field> fields(List<String> lines) {
    List<Field> fields = new ArrayList<>();
    for (String line : lines) {
      int colon = line.indexOf(':');
      fields.add(new Field(line.substring(0, colon), line.substring(colon + 1)));
    }
    return List.copyOf(fields);
  }

  /** Adds a field at the end, with this value directly after the colon. */
  public WireMessage plus(String name, String value) {
    List<Field> more = new ArrayList<>(fields);
    more.add(new Field(name, value));
    return new WireMessage(startLine, List.copyOf(more), body);
  }

  public WireMessage without(String name) {
    List<Field> fewer = fields.stream().filter(field -> !field.isNamed(name)).toList();
    return new WireMessage(startLine, fewer, body);
  }

  /** Adds a body of ASCII text and its Content-Length. */
  public WireMessage withBody(String text) {
    WireMessage sized = plus("Content-Length", " " + text.length());
    return new WireMessage(startLine, sized.fields, text);
  }

  /** Adds a body in at most one chunk, and these lines after it. */
  public WireMessage withChunked(String text, String... trailers) {
    WireMessage chunked = plus("Transfer-Encoding", " chunked");
    String chunk = text.isEmpty() ? "" : Integer.toHexString(text.length()) + crlf(text + "\r\n");
    StringBuilder end = new StringBuilder("0\r\n");
    for (String trailer : trailers) {
      end.append(trailer).append("\r\n");
    }
    return new WireMessage(startLine, chunked.fields, chunk + end + "\r\n");
  }

  private static String crlf(String text) {
    return "\r\n" + text;
  }

  public byte[] bytes() {
    StringBuilder text = new StringBuilder(startLine).append("\r\n");
    fields.forEach(field -> text.append(field.name).append(':').append(field.value).append("\r\n"));
    return text.append("\r\n").append(body).toString().getBytes(ISO_8859_1);
  }

  /** Returns the values of a field's lines, as {@link Field#plainValue} does. */
  public List<String> values(String name) {
    return fields.stream().filter(field -> field.isNamed(name)).map(Field::plainValue).toList();
  }

  public boolean isChunked() {
    return !values("transfer-encoding").isEmpty();
  }

  /** Returns the lines after the last chunk. */
  public List<Field> trailers() {
    int end = ("\r\n" + body).indexOf("\r\n0\r\n");
    if (!isChunked() || end < 0) {
      return List.of();
    }
    return fields(body.substring(end + 3).lines().takeWhile(line -> !line.isEmpty()).toList());
  }

  /** Returns the body without its chunk framing. */
  public String content() {
    if (!isChunked()) {
      return body;
    }
    StringBuilder content = new StringBuilder();
    int at = 0;
    while (true) {
      int end = body.indexOf("\r\n", at);
      int size = Integer.parseInt(body.substring(at, end), 16);
      if (size == 0) {
        return content.toString();
      }
      content.append(body, end + 2, end + 2 + size);
      at = end + 2 + size + 2;
    }
  }

  /** For a message whose fields give its length. */
  BodyFraming framing() {
    if (isChunked()) {
      return BodyFraming.UNKNOWN;
    }
    boolean none = values("content-length").stream().allMatch("0"::equals);
    return none ? BodyFraming.NONE : BodyFraming.PRESENT;
  }
}
