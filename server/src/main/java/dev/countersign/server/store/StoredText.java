package dev.countersign.server.store;

import org.jspecify.annotations.Nullable;

/**
 * Makes a caller's text safe to store in SQLite and PostgreSQL. PostgreSQL does not accept U+0000,
 * and neither database accepts half a surrogate pair. Such characters are replaced by U+FFFD. Each
 * database then returns exactly the text that was stored, and a search for the text cannot fail.
 */
public final class StoredText {
  private static final char REPLACEMENT = '\uFFFD';

  private StoredText() {}

  public static String of(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isSurrogate(c)) {
        return replaced(text);
      }
    }
    return text;
  }

  /** Returns whether both databases store a text unchanged. */
  public static boolean isStorable(String text) {
    return of(text).equals(text);
  }

  public static @Nullable String ofNullable(@Nullable String text) {
    return text == null ? null : of(text);
  }

  private static String replaced(String text) {
    StringBuilder replaced = new StringBuilder(text.length());
    text.codePoints()
        .map(
            c ->
                c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                    ? REPLACEMENT
                    : c)
        .forEach(replaced::appendCodePoint);
    return replaced.toString();
  }
}
