package dev.countersign.signatures;

import java.util.List;

/**
 * What a signature can see of an HTTP message, which is a {@linkplain RequestMessage request} or a
 * {@linkplain ResponseMessage response}.
 *
 * <p>An adapter shows a message exactly as it was on the wire: nothing decoded, normalized or
 * re-ordered, because a signature covers what was sent (RFC 9421 section 2). Bytes of a field that
 * are not ASCII appear as the characters U+0080 to U+00FF of the same number.
 */
public sealed interface HttpMessage permits RequestMessage, ResponseMessage {

  /**
   * Every line of a header field in the order sent, without the name; empty when it was not sent.
   *
   * @param lowerCaseName the field's name in lower case
   */
  List<String> fieldLines(String lowerCaseName);

  /**
   * Every line of a trailer field in the order sent; empty when it was not sent (RFC 9110 section
   * 6.5). Trailers are known when the body has been read to its end, so a signature that covers one
   * can be verified only then; a message without any need not say so.
   *
   * @param lowerCaseName the field's name in lower case
   */
  default List<String> trailerLines(String lowerCaseName) {
    return List.of();
  }

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
