package dev.countersign.client.answers;

import java.io.IOException;

/** An answer was given up, because it has more bytes than are taken. */
public final class AnswerTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  AnswerTooLargeException(int status, long most) {
    super("the answer (status " + status + ") has more than the " + most + " bytes that are taken");
  }
}
