package dev.countersign.server.operators.signin;

import static dev.countersign.server.operators.OperatorException.Reason.PASSWORD_REFUSED;

import dev.countersign.server.operators.OperatorException;
import java.util.Locale;

/**
 * The rules for passwords. A password must be long and must not be one that attackers try first
 * (NIST SP 800-63B 3.1.1.2). There are no rules about characters.
 */
final class PasswordRules {
  // The shortest and the longest password, in code points.
  private static final int MIN_LENGTH = 12;
  private static final int MAX_LENGTH = 128;
  // A password may contain an operator's name that is shorter than this.
  private static final int MIN_NAME_LENGTH = 3;
  // A password must not repeat a piece of at most this length, as abcabcabcabc does.
  private static final int MAX_PIECE_LENGTH = 4;
  private static final String PRODUCT = "countersign";

  private PasswordRules() {}

  /**
   * Checks a new password.
   *
   * @throws OperatorException if the password is not allowed; the message gives the rule, never the
   *     password
   */
  static void check(CharSequence password, String operatorName) {
    requireLength(password);
    String normalized = Passwords.normalized(password);
    requireLength(normalized);
    String folded = folded(normalized);
    if (CommonPasswords.contains(folded) || isRepetition(folded) || isRun(folded)) {
      throw refused("this password is easy to guess; choose another one");
    }
    String name = folded(Passwords.normalized(operatorName));
    boolean hasName = length(name) >= MIN_NAME_LENGTH && folded.contains(name);
    if (hasName || folded.contains(PRODUCT)) {
      throw refused(
          "a password must not contain the operator's name or countersign; choose another one");
    }
  }

  /** Returns whether a password is neither empty nor too long to be the password of an account. */
  static boolean hasPlausibleLength(CharSequence password) {
    int length = length(password);
    return length >= 1 && length <= MAX_LENGTH;
  }

  private static void requireLength(CharSequence password) {
    int length = length(password);
    if (length < MIN_LENGTH || length > MAX_LENGTH) {
      throw refused(
          "a password must have "
              + MIN_LENGTH
              + " to "
              + MAX_LENGTH
              + " characters, was "
              + length
              + "; several words are easy to remember");
    }
  }

  private static boolean isRepetition(String text) {
    for (int piece = 1; piece <= MAX_PIECE_LENGTH; piece++) {
      if (text.regionMatches(piece, text, 0, text.length() - piece)) {
        return true;
      }
    }
    return false;
  }

  // Matches runs such as abcdefghijkl and 987654321098: the characters rise or fall by one, and 9
  // and 0 are neighbors.
  private static boolean isRun(String text) {
    return isRun(text, 1) || isRun(text, -1);
  }

  private static boolean isRun(String text, int step) {
    for (int i = 1; i < text.length(); i++) {
      int difference = text.charAt(i) - text.charAt(i - 1);
      boolean aroundZero = difference == -9 * step && Character.isDigit(text.charAt(i));
      if (difference != step && !aroundZero) {
        return false;
      }
    }
    return true;
  }

  private static String folded(String text) {
    return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT).replace(" ", "");
  }

  private static int length(CharSequence text) {
    return Character.codePointCount(text, 0, text.length());
  }

  private static OperatorException refused(String message) {
    return new OperatorException(PASSWORD_REFUSED, message);
  }
}
