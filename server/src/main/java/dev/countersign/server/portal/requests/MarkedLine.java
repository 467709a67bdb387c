package dev.countersign.server.portal.requests;

import org.jspecify.annotations.Nullable;

/**
 * A line of a signature base, split around the part that differs from the same line of another
 * base.
 *
 * @param isThere whether the base has this line at all
 */
record MarkedLine(String before, String marked, String after, boolean isThere) {
  private static final MarkedLine MISSING = new MarkedLine("", "", "", false);

  /**
   * Compares a line with the same line of the other base. The beginning and the end that both lines
   * share stay unmarked; the part between them is marked.
   */
  static MarkedLine of(@Nullable String line, @Nullable String other) {
    if (line == null) {
      return MISSING;
    }
    String compared = other == null ? "" : other;
    int start = sameStart(line, compared);
    int end = line.length() - sameEnd(line, compared, start);
    return new MarkedLine(
        VisibleText.of(line.substring(0, start)),
        VisibleText.of(line.substring(start, end)),
        VisibleText.of(line.substring(end)),
        true);
  }

  private static int sameStart(String a, String b) {
    int i = 0;
    while (i < a.length() && i < b.length() && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    // Does not split a surrogate pair.
    return i > 0 && Character.isHighSurrogate(a.charAt(i - 1)) ? i - 1 : i;
  }

  private static int sameEnd(String a, String b, int start) {
    int most = Math.min(a.length(), b.length()) - start;
    int i = 0;
    while (i < most && a.charAt(a.length() - 1 - i) == b.charAt(b.length() - 1 - i)) {
      i++;
    }
    return i > 0 && Character.isLowSurrogate(a.charAt(a.length() - i)) ? i - 1 : i;
  }
}
