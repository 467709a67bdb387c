package dev.countersign.signatures.base;

import java.util.List;

/**
 * The parts of an HTTP message that a signature can cover. A message is a {@linkplain
 * RequestMessage request} or a {@linkplain ResponseMessage response}.
 *
 * <p>An adapter presents a message exactly as it was on the wire: nothing decoded, normalized or
 * re-ordered, because a signature covers what was sent (RFC 9421 section 2). A non-ASCII byte of a
 * field appears as the character with the same number, U+0080 to U+00FF.
 */
public sealed interface HttpMessage permits RequestMessage, ResponseMessage {

  /**
   * Returns every line of a header field in the order sent, without the name; empty if the field
   * was not sent.
   *
   * @param lowerCaseName the field's name in lower case
   */
  List<String> fieldLines(String lowerCaseName);

  /**
   * Returns every line of a trailer field in the order sent; empty if the field was not sent (RFC
   * 9110 section 6.5). Trailers are known only after the whole body has been read, so a signature
   * that covers a trailer can be verified only then. A message without trailers need not override
   * this method.
   *
   * @param lowerCaseName the field's name in lower case
   */
  default List<String> trailerLines(String lowerCaseName) {
    return List.of();
  }

  /** Returns what the framing says about the body, before any of the body is read. */
  BodyFraming bodyFraming();

  /** The information that the framing of a message gives about its body (RFC 9112 section 6). */
  enum BodyFraming {
    /** No body, or a Content-Length of 0. */
    NONE,
    /** A Content-Length greater than 0. */
    PRESENT,
    /** Chunked: only reading shows whether there are any bytes. */
    UNKNOWN
  }
}
