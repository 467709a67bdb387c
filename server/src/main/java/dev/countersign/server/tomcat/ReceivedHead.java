package dev.countersign.server.tomcat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.apache.coyote.Request;
import org.apache.coyote.http11.Http11InputBuffer;

/**
 * The received bytes of an HTTP/1 request's head, for two facts that the engine drops before it
 * passes on the request.
 *
 * <p>This is not a parser: the engine has validated the same bytes before, so a field name always
 * follows a line feed.
 */
final class ReceivedHead {
  private final ByteBuffer head;

  private ReceivedHead(ByteBuffer head) {
    this.head = head;
  }

  /** Returns the head of a request whose body has not been read yet; empty over HTTP/2. */
  static Optional<ReceivedHead> of(Request request) {
    // The engine keeps the head at the start of its buffer, and its position is the end of the
    // head.
    return request.getInputBuffer() instanceof Http11InputBuffer input
        ? Optional.of(new ReceivedHead(input.getByteBuffer().duplicate().flip()))
        : Optional.empty();
  }

  /** Returns whether there is a field with this name. */
  boolean hasField(String lowerCaseName) {
    return text(0).toLowerCase(Locale.ROOT).contains("\n" + lowerCaseName + ":");
  }

  /** Returns whether the request target is in absolute form with userinfo in its authority. */
  boolean hasUserinfo() {
    int method = after(0, true);
    int target = after(after(method, false), true);
    if (target == head.limit() || head.get(target) == '/') {
      return false;
    }
    String[] schemeAndRest = text(target).split("[ \t\r\n]", 2)[0].split("://", 2);
    return schemeAndRest.length == 2 && schemeAndRest[1].split("[/?]", 2)[0].contains("@");
  }

  /** Skips white space from an index, or everything else, and returns the next index. */
  private int after(int from, boolean blank) {
    int at = from;
    while (at < head.limit() && head.get(at) <= ' ' == blank) {
      at++;
    }
    return at;
  }

  private String text(int from) {
    return StandardCharsets.ISO_8859_1.decode(head.duplicate().position(from)).toString();
  }
}
