package dev.countersign.server.portal.requests;

import dev.countersign.protocol.PlainText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes a caller's text safe to read: characters that are invisible or change the direction of a
 * line are replaced by their code points. The text still has to be escaped.
 */
final class Visible {

  private Visible() {}

  static @Nullable String ofNullable(@Nullable String text) {
    return text == null ? null : of(text);
  }

  /** Makes a text visible on one line. */
  static String of(String text) {
    return of(text, -1);
  }

  /** Makes a text of several lines visible and keeps its line feeds. */
  static String ofLines(String text) {
    return of(text, '\n');
  }

  private static String of(String text, int kept) {
    StringBuilder visible = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (c == kept || PlainText.isSeenOrSpace(c)) {
                visible.appendCodePoint(c);
              } else {
                visible.append(String.format(Locale.ROOT, "[U+%04X]", c));
              }
            });
    return visible.toString();
  }
}
