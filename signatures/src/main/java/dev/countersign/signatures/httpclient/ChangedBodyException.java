package dev.countersign.signatures.httpclient;

import java.io.IOException;

/**
 * A body was not sent to its end, because its publisher provided bytes other than those that were
 * digested before (RFC 9530 section 2). It is the cause, or the cause of the cause, of HttpClient's
 * exception. Another attempt with the same publisher fails as well.
 */
public final class ChangedBodyException extends IOException {
  private static final long serialVersionUID = 1L;

  ChangedBodyException(String message) {
    super(message);
  }
}
