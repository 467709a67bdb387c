package dev.countersign.signatures.fields;

import java.util.Locale;

/**
 * Quoted text of printable ASCII characters: {@code "hello"}.
 *
 * <p>Use a {@link DisplayString} for anything beyond ASCII.
 *
 * @param value the text without quotes and escapes, any length, characters 0x20 to 0x7e
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3.3">RFC 9651 3.3.3</a>
 */
public record StringItem(String value) implements BareItem {

  /**
   * @throws IllegalArgumentException if a character is outside 0x20 to 0x7e
   */
  public StringItem {
    for (int i = 0; i < value.length(); i++) {
      if (!Ascii.isPrintable(value.charAt(i))) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a String must hold only the characters 0x20 to 0x7e, was 0x%02x at index %d",
                (int) value.charAt(i),
                i));
      }
    }
  }

  // RFC 9651 4.1.6
  @Override
  public String serialize() {
    StringBuilder text = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\');
      }
      text.append(c);
    }
    return text.append('"').toString();
  }
}
