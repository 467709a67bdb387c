package dev.countersign.protocol;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The checks that a request must pass, in their order. The first failure ends the request.
 *
 * <p>The order of the constants is the order of the checks. A refusal names the check that was
 * running: its word is in the problem document, in the log and in the record of the request.
 */
public enum Check {
  FIELDS("It has both signature fields, well-formed, under the label expected"),
  PROFILE("The signature covers what it must, with the parameters it must have"),
  CLIENT("keyid names a registered, enabled client"),
  ADDRESS("It comes from the client's network"),
  TIME("It was signed within the accepted time, and its Date, if any, is the same instant"),
  DIGEST(
      "It has a Content-Digest exactly when it has a body, and the body's length and encoding are"
          + " accepted"),
  SIGNATURE("The signature verifies with a key of the client"),
  BODY("The body has arrived whole and equals its digest"),
  AUTHORIZATION("The client's roles allow the operation"),
  REPLAY("It was not carried out before, where that matters");

  private final String title;
  private final String word = name().toLowerCase(Locale.ROOT);

  Check(String title) {
    this.title = title;
  }

  /** The check with this word; empty for a word from a newer release. */
  public static Optional<Check> ofWord(String word) {
    return Arrays.stream(values()).filter(check -> check.word.equals(word)).findFirst();
  }

  /** The position in the order, counted from 1. */
  // The order of the constants is the order of the checks, so no separate number can contradict it.
  @SuppressWarnings("EnumOrdinal")
  public int number() {
    return ordinal() + 1;
  }

  /** The stable word, such as {@code signature}. */
  public String word() {
    return word;
  }

  /** A one-line statement that is true once a request has passed. */
  public String title() {
    return title;
  }
}
