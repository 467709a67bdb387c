package dev.countersign.server.portal.requests;

import dev.countersign.protocol.PlainText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes a caller's text safe to read. Characters that are invisible or change the direction of a
 * line are replaced by their code points, such as {@code [U+202E]}. The text must still be escaped
 * for HTML.
 */
final class VisibleText {

  private VisibleText() {}

  static @Nullable String ofNullable(@Nullable String text) {
    return text == null ? null : of(text);
  }

  /** Returns a text on one line: its line feeds are also replaced. */
  static String of(String text) {
    return replaceInvisible(text, -1);
  }

  /** Returns a text that may have several lines: its line feeds are kept. */
  static String ofLines(String text) {
    return replaceInvisible(text, '\n');
  }

  private static String replaceInvisible(String text, int kept) {
    StringBuilder visible = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (c == kept || PlainText.isVisibleOrSpace(c)) {
                visible.appendCodePoint(c);
              } else {
                visible.append(String.format(Locale.ROOT, "[U+%04X]", c));
              }
            });
    return visible.toString();
  }
}
