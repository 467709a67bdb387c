package dev.countersign.signatures.httpclient;

import java.io.IOException;

/**
 * Thrown when a body is not sent to its end, because its publisher did not provide the bytes that
 * were digested before (RFC 9530 section 2). HttpClient's exception has this exception as its
 * cause, or as the cause of its cause. Another attempt with the same publisher fails as well.
 */
public final class ChangedBodyException extends IOException {
  private static final long serialVersionUID = 1L;

  ChangedBodyException(String message) {
    super(message);
  }
}
