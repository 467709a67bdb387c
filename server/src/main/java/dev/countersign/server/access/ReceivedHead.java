package dev.countersign.server.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.apache.coyote.Request;
import org.apache.coyote.http11.Http11InputBuffer;

/**
 * The head of an HTTP/1 request in the bytes that were received, for two facts that the engine has
 * dropped by the time it hands the request on.
 *
 * <p>It is no parser: the engine has read and validated the same bytes before, so a field name is
 * found right behind a line feed and nowhere else.
 */
final class ReceivedHead {
  private final ByteBuffer head;

  private ReceivedHead(ByteBuffer head) {
    this.head = head;
  }

  /** The head of a request whose body has not been touched yet; empty over HTTP/2. */
  static Optional<ReceivedHead> of(Request request) {
    // The engine keeps the head at the start of its buffer and stands at the head's end.
    return request.getInputBuffer() instanceof Http11InputBuffer input
        ? Optional.of(new ReceivedHead(input.getByteBuffer().duplicate().flip()))
        : Optional.empty();
  }

  /** Whether there is a field of this name. */
  boolean hasField(String lowerCaseName) {
    return text(0).toLowerCase(Locale.ROOT).contains("\n" + lowerCaseName + ":");
  }

  /** Whether the request target is in the absolute form with userinfo in its authority. */
  boolean hasUserinfo() {
    int method = after(0, true);
    int target = after(after(method, false), true);
    if (target == head.limit() || head.get(target) == '/') {
      return false;
    }
    String[] schemeAndRest = text(target).split("[ \t\r\n]", 2)[0].split("://", 2);
    return schemeAndRest.length == 2 && schemeAndRest[1].split("[/?]", 2)[0].contains("@");
  }

  /**
   * Skips blanks and line ends from an index, or all but these, and returns the index behind them.
   */
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
