package dev.countersign.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.apache.coyote.Request;
import org.apache.coyote.http11.Http11InputBuffer;

/**
 * The head of an HTTP/1 request as received. It still contains everything that Tomcat drops before
 * it passes on the request: some fields, and the userinfo of the request target.
 *
 * <p>This class is not a parser. Tomcat has already validated these bytes, so a field name always
 * follows a line feed.
 */
final class ReceivedHead {
  private final ByteBuffer head;

  private ReceivedHead(ByteBuffer head) {
    this.head = head;
  }

  /** Returns the head of a request whose body has not been read yet; empty over HTTP/2. */
  static Optional<ReceivedHead> of(Request request) {
    // Tomcat keeps the head at the start of its buffer. The position of the buffer is the end of
    // the head.
    return request.getInputBuffer() instanceof Http11InputBuffer input
        ? Optional.of(new ReceivedHead(input.getByteBuffer().duplicate().flip()))
        : Optional.empty();
  }

  /** Returns whether there is a field with this name. */
  boolean hasField(String lowerCaseName) {
    return textFrom(0).toLowerCase(Locale.ROOT).contains("\n" + lowerCaseName + ":");
  }

  /** Returns whether the head was read to its end, an empty line. */
  boolean isComplete() {
    String text = textFrom(0);
    return text.endsWith("\n\r\n") || text.endsWith("\n\n");
  }

  /** Returns whether the request target is in absolute form with userinfo in its authority. */
  boolean hasUserinfo() {
    return authority().filter(text -> text.contains("@")).isPresent();
  }

  /** Returns the host and port of a request target in absolute form; empty for other forms. */
  Optional<String> targetHost() {
    return authority().map(text -> text.substring(text.lastIndexOf('@') + 1));
  }

  private Optional<String> authority() {
    int methodStart = skipWhitespace(0);
    int methodEnd = skipToken(methodStart);
    int targetStart = skipWhitespace(methodEnd);
    if (targetStart == head.limit() || head.get(targetStart) == '/') {
      return Optional.empty();
    }
    String[] schemeAndRest = textFrom(targetStart).split("[ \t\r\n]", 2)[0].split("://", 2);
    return schemeAndRest.length == 2
        ? Optional.of(schemeAndRest[1].split("[/?]", 2)[0])
        : Optional.empty();
  }

  /** Skips white space from an index on. Returns the index after it. */
  private int skipWhitespace(int start) {
    int at = start;
    while (at < head.limit() && head.get(at) <= ' ') {
      at++;
    }
    return at;
  }

  /** Skips all bytes but white space from an index on. Returns the index after them. */
  private int skipToken(int start) {
    int at = start;
    while (at < head.limit() && head.get(at) > ' ') {
      at++;
    }
    return at;
  }

  private String textFrom(int from) {
    return StandardCharsets.ISO_8859_1.decode(head.duplicate().position(from)).toString();
  }
}
