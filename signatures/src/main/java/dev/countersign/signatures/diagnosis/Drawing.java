package dev.countersign.signatures.diagnosis;

import java.util.Locale;
import java.util.Optional;

/**
 * Draws two texts one above the other, with a caret under their first difference.
 *
 * <p>For a long text it shows an excerpt around the difference. Invisible characters, and those
 * that could control a terminal, are shown by name: {@code <CR>}, {@code <U+00E9>}.
 */
final class Drawing {
  private static final int COLUMNS = 100;
  private static final String CUT = "…";
  private static final String NOTHING = "(nothing)";

  private final int index;
  private final int start;
  private final String unit;

  /**
   * @param index the index where the texts differ, the same in both
   * @param longest the length of the longer text
   * @param unit the format of a character that is not printable
   */
  private Drawing(int index, int longest, String unit) {
    this.index = index;
    this.start = Math.max(0, Math.min(index - COLUMNS / 2, longest - COLUMNS));
    this.unit = unit;
  }

  /** Draws two lines of text. */
  static String ofLines(String signed, String rebuilt, int index) {
    Drawing drawing = new Drawing(index, Math.max(signed.length(), rebuilt.length()), "<U+%04X>");
    return drawing.draw("  signed   ", signed, "  rebuilt  ", rebuilt);
  }

  /** Draws two byte sequences, each byte as a character. */
  static String ofBytes(String signed, String received, int index) {
    Drawing drawing = new Drawing(index, Math.max(signed.length(), received.length()), "<%02X>");
    return drawing.draw("  signed    ", signed, "  received  ", received);
  }

  /** The sentence that names the cause, on its own line; empty if there is no cause. */
  static String sentence(Optional<LikelyCause> cause) {
    return cause.map(likely -> "\n  " + likely.sentence()).orElse("");
  }

  /** A short text on one line, with unprintable characters shown by name. */
  static String inline(String text) {
    return new Drawing(0, 0, "<U+%04X>").excerpt(text);
  }

  private String draw(String firstLabel, String first, String secondLabel, String second) {
    String before = (start > 0 ? CUT : "") + printable(first, start, index);
    return firstLabel
        + (first.isEmpty() ? NOTHING : excerpt(first))
        + "\n"
        + secondLabel
        + (second.isEmpty() ? NOTHING : excerpt(second))
        + "\n"
        + " ".repeat(firstLabel.length() + before.length())
        + "^";
  }

  private String excerpt(String text) {
    int end = Math.min(text.length(), start + COLUMNS);
    return (start > 0 ? CUT : "") + printable(text, start, end) + (end < text.length() ? CUT : "");
  }

  private String printable(String text, int from, int to) {
    int spaces = trailingSpaces(text);
    StringBuilder printable = new StringBuilder();
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      printable.append(isPrintable(c) && i < spaces ? String.valueOf(c) : name(c));
    }
    return printable.toString();
  }

  /**
   * The position at which the spaces at the end of the text begin, but never before the difference.
   */
  private int trailingSpaces(String text) {
    int end = text.length();
    while (end > index && text.charAt(end - 1) == ' ') {
      end--;
    }
    return end;
  }

  private String name(char c) {
    return switch (c) {
      case ' ' -> "<SP>";
      case '\t' -> "<TAB>";
      case '\r' -> "<CR>";
      case '\n' -> "<LF>";
      default -> String.format(Locale.ROOT, unit, (int) c);
    };
  }

  static boolean isPrintable(char c) {
    return c >= ' ' && c <= '~';
  }
}
