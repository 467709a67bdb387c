package dev.countersign.server.operators;

import static dev.countersign.server.operators.OperatorException.Reason.INVALID;

import dev.countersign.protocol.PlainText;
import dev.countersign.server.store.StoredText;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The rules for operators' names, and how names are compared. Invisible characters, and those that
 * change the direction of a line, could make two names look alike, so names do not contain them.
 */
public final class OperatorNames {
  private static final int MAX = 64;
  private static final int HASH_DIGITS = 12;

  private OperatorNames() {}

  /** Checks a name and returns it as it is stored. */
  public static String requireValid(String name) {
    String stripped = Normalizer.normalize(name.strip(), Form.NFC);
    int length = length(stripped);
    if (length < 1 || length > MAX) {
      throw new OperatorException(
          INVALID, "an operator's name must have 1 to " + MAX + " characters, was " + length);
    }
    if (!stripped.codePoints().allMatch(PlainText::isVisibleOrSpace)) {
      throw new OperatorException(
          INVALID,
          "an operator's name must be one line of visible characters; remove other characters");
    }
    return stripped;
  }

  /**
   * Derives a valid name from the name that an OpenID provider gives for a person. If that name has
   * no visible characters, derives it from the subject. If the subject has none either, returns a
   * name such as {@code unnamed-3f2a9c1b7d20}, with the beginning of the subject's hash.
   */
  public static String derive(String name, String subject) {
    return Stream.of(name, subject)
        .map(text -> visible(text, MAX))
        .filter(visible -> !visible.isEmpty())
        .findFirst()
        .orElseGet(() -> "unnamed-" + Tokens.hash(subject).substring(0, HASH_DIGITS));
  }

  /** Returns the form in which names are compared. Accepts any text, even an invalid name. */
  public static String key(String name) {
    String cut = cut(name.strip(), MAX + 1);
    String folded =
        Normalizer.normalize(cut, Form.NFC).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    return StoredText.of(Normalizer.normalize(folded, Form.NFC));
  }

  /** Removes invisible characters from any text and cuts it to at most {@code max} characters. */
  public static String visible(String text, int max) {
    StringBuilder visible = new StringBuilder();
    cut(text, 10 * max)
        .codePoints()
        .filter(PlainText::isVisibleOrSpace)
        .forEach(visible::appendCodePoint);
    return cut(Normalizer.normalize(visible.toString().strip(), Form.NFC), max).strip();
  }

  private static String cut(String text, int max) {
    return length(text) <= max ? text : text.substring(0, text.offsetByCodePoints(0, max));
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
