package dev.countersign.signatures;

import java.util.List;

/**
 * What a signature can see of an HTTP message.
 *
 * <p>An adapter shows a message exactly as it was on the wire: nothing decoded, normalized or
 * re-ordered, because a signature covers what was sent (RFC 9421 section 2).
 */
public interface HttpMessage {

  /** The method as sent, such as {@code GET}; methods are case-sensitive (RFC 9110 section 9.1). */
  String method();

  /** The absolute target URI as the caller spelled it (RFC 9421 section 2.2.2). */
  String targetUri();

  /**
   * Every line of a header field in the order sent, without the name; empty when it was not sent.
   *
   * @param lowerCaseName the field's name in lower case
   */
  List<String> fieldLines(String lowerCaseName);

  /** What the framing says of a body, before a byte of it is read. */
  BodyFraming bodyFraming();

  /** What the framing of a message says of its body (RFC 9112 section 6). */
  enum BodyFraming {
    /** No body, or a Content-Length of 0. */
    NONE,
    /** A Content-Length over 0. */
    PRESENT,
    /** Chunked: only reading tells whether anything comes. */
    UNKNOWN
  }
}
