package dev.countersign.protocol;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The checks that a request must pass, in this order. The first failure ends the request.
 *
 * <p>A refusal names the check that was running: the word of the check is in the problem document,
 * in the log and in the record of the request.
 */
public enum Check {
  FIELDS("Both signature fields are present and well-formed, under the expected label"),
  PROFILE("The signature covers the required components and has the required parameters"),
  CLIENT("keyid names a registered, enabled client"),
  ADDRESS("The address is on the client's network whitelist"),
  TIME(
      "The signature is neither too old nor from the future, and Date, if covered, matches"
          + " created"),
  DIGEST(
      "A Content-Digest is present if and only if there is a body, and the body's length and encoding"
          + " are accepted"),
  SIGNATURE("The signature verifies with a key of the client"),
  BODY("The body arrived completely and matches its digest"),
  AUTHORIZATION(
      "The client's roles allow the operation, and its attributes the records of a scoped listing"),
  REPLAY("The request is not a replay of an accepted request");

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

  /** A one-line statement that is true once a request has passed the check. */
  public String title() {
    return title;
  }
}
