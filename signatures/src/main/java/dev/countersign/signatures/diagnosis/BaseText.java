package dev.countersign.signatures.diagnosis;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A signature base that was copied from a log, a terminal or a problem document.
 *
 * @param text the original base, with a line feed between two lines and no line feed at the end
 * @param isEscaped whether the copy was escaped, with the two characters {@code \n} instead of a
 *     line feed
 * @param hasCrLf whether each line of the copy ended in CR LF
 */
record BaseText(String text, boolean isEscaped, boolean hasCrLf) {
  private static final Pattern ESCAPED_BREAK = Pattern.compile("\\\\n(?=\"[@a-z])");

  static BaseText read(String copied) {
    String raw = withoutFinalBreaks(copied);
    String plain = withoutFinalBreaks(unescape(raw));
    boolean hasCrLf = hasCrLf(plain);
    return new BaseText(hasCrLf ? plain.replace("\r\n", "\n") : plain, !plain.equals(raw), hasCrLf);
  }

  /** The cause of the difference between two copies of the same base. */
  static LikelyCause causeOf(BaseText signed, BaseText rebuilt) {
    if (signed.isEscaped || rebuilt.isEscaped) {
      return LikelyCause.ESCAPED_TEXT;
    }
    return signed.hasCrLf || rebuilt.hasCrLf ? LikelyCause.CR_LF : LikelyCause.FINAL_LINE_BREAK;
  }

  private static String withoutFinalBreaks(String text) {
    int end = text.length();
    while (end > 0 && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
      end--;
    }
    return text.substring(0, end);
  }

  /**
   * Removes the escapes of a copy. A base begins with a quote, so a text that begins with an
   * escaped quote is from a JSON string.
   */
  private static String unescape(String text) {
    if (text.startsWith("\\\"")) {
      return JsonText.unescape(text).orElse(text);
    }
    if (text.startsWith("\"\\\"") && text.endsWith("\"")) {
      Optional<String> content = JsonText.unescape(text.substring(1, text.length() - 1));
      return content.orElse(text);
    }
    // A text from a shell command can have \n instead of line feeds, although its quotes are not
    // escaped. Every base has several lines, so a text without a line feed is escaped.
    return text.indexOf('\n') < 0 && text.contains("\\n" + BaseLine.SIGNATURE_PARAMS)
        ? ESCAPED_BREAK.matcher(text).replaceAll("\n")
        : text;
  }

  /** Returns whether all lines end in CR LF; a lone CR is a part of its line. */
  private static boolean hasCrLf(String text) {
    boolean found = false;
    for (int i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) {
      if (i == 0 || text.charAt(i - 1) != '\r') {
        return false;
      }
      found = true;
    }
    return found;
  }
}
