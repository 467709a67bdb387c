package dev.countersign.server.listings;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A row holds a value that its listing cannot serve, such as a NaN, for which JSON has no number
 * (RFC 8259 section 6). The message is one line for the operator: it names the column and the
 * record, and holds no value but the record's key.
 */
final class UnreadableValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int KEY_LENGTH = 255;

  UnreadableValueException(String table, Field field, @Nullable String key, Exception cause) {
    super(
        table
            + '.'
            + field.column().name()
            + " of the record with the key "
            + shown(key)
            + " holds a value that JSON cannot show as a "
            + field.type().name().toLowerCase(Locale.ROOT)
            + "; correct it",
        cause);
  }

  /** One printable line. */
  private static String shown(@Nullable String key) {
    if (key == null) {
      return "null";
    }
    String line = key.replaceAll("[^\\x20-\\x7E]", "?");
    return '"' + line.substring(0, Math.min(line.length(), KEY_LENGTH)) + '"';
  }
}
