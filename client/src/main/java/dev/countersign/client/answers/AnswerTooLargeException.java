package dev.countersign.client.answers;

import java.io.IOException;

/** Thrown when an answer has more bytes than allowed. */
public final class AnswerTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  AnswerTooLargeException(int status, long limit) {
    super("the response (status " + status + ") has more than the allowed " + limit + " bytes");
  }
}
