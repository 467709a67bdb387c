package dev.countersign.signatures;

import java.util.regex.Pattern;

/** Text whose long lines are folded with a backslash, as the examples in RFCs are (RFC 8792). */
final class Rfc8792 {
  private static final Pattern FOLD = Pattern.compile("\\\\\n *");

  private Rfc8792() {}

  /** Joins folded lines: removes a backslash at the end of a line, and the indentation after it. */
  static String unfold(String text) {
    return FOLD.matcher(text).replaceAll("");
  }
}
