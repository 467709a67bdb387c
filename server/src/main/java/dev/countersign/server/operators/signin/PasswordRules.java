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
  private static final int MIN = 12;
  private static final int MAX = 128;
  // A password may contain an operator's name that is shorter than this.
  private static final int SHORTEST_NAME = 3;
  // A password must not repeat a piece of at most this length, as abcabcabcabc does.
  private static final int LONGEST_PIECE = 4;
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
    boolean hasName = length(name) >= SHORTEST_NAME && folded.contains(name);
    if (hasName || folded.contains(PRODUCT)) {
      throw refused(
          "a password must not contain the operator's name or countersign; choose another one");
    }
  }

  /** Returns whether a password is neither empty nor too long to be the password of an account. */
  static boolean canBe(CharSequence password) {
    int length = length(password);
    return length >= 1 && length <= MAX;
  }

  private static void requireLength(CharSequence password) {
    int length = length(password);
    if (length < MIN || length > MAX) {
      throw refused(
          "a password must have "
              + MIN
              + " to "
              + MAX
              + " characters, was "
              + length
              + "; several words are easy to remember");
    }
  }

  private static boolean isRepetition(String text) {
    for (int piece = 1; piece <= LONGEST_PIECE; piece++) {
      if (text.regionMatches(piece, text, 0, text.length() - piece)) {
        return true;
      }
    }
    return false;
  }

  // Matches runs such as abcdefghijkl and 987654321098: the code points rise or fall by one, and 9
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
