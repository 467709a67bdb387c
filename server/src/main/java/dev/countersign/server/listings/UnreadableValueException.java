package dev.countersign.server.listings;

import org.jspecify.annotations.Nullable;

/**
 * Reports that a row has a value that its listing cannot serve, such as NaN, which is not a JSON
 * number (RFC 8259 section 6), or that the database kept no row. The message is one line for the
 * operator. It contains the column and the record's key, but no other value.
 */
final class UnreadableValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  // The message shows at most this many characters of the key.
  private static final int KEY_LENGTH = 255;

  UnreadableValueException(String table, Field field, @Nullable String key, Exception cause) {
    super(
        table
            + '.'
            + field.column().name()
            + " of the record with the key "
            + shown(key)
            + " contains a value that cannot be written in JSON as a "
            + field.type().word()
            + "; correct it",
        cause);
  }

  private UnreadableValueException(String message) {
    super(message);
  }

  /** Returns the failure of an insert that succeeded without inserting a row. */
  static UnreadableValueException ofSkippedInsert(String table) {
    return new UnreadableValueException(
        "the database has not inserted the row into "
            + table
            + ", probably because a trigger skipped it; let that trigger raise an exception instead");
  }

  /** Makes a key printable on one line. */
  private static String shown(@Nullable String key) {
    if (key == null) {
      return "null";
    }
    String line = key.replaceAll("[^\\x20-\\x7E]", "?");
    return '"' + line.substring(0, Math.min(line.length(), KEY_LENGTH)) + '"';
  }
}
