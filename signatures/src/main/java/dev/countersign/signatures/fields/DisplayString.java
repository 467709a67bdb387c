package dev.countersign.signatures.fields;

import java.nio.charset.StandardCharsets;

/**
 * Text for people in any script, sent as percent-encoded UTF-8: {@code %"f%c3%bc"}.
 *
 * <p>Any Unicode text is allowed, including control characters, so escape it before you show it.
 *
 * @param value Unicode text without unpaired surrogates
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3.8">RFC 9651 3.3.8</a>
 */
public record DisplayString(String value) implements BareItem {

  private static final String HEX = "0123456789abcdef";

  /**
   * @throws IllegalArgumentException if the value has an unpaired surrogate, which UTF-8 cannot
   *     encode
   */
  public DisplayString {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
      throw new IllegalArgumentException(
          "a Display String must be Unicode text, was text with an unpaired surrogate");
    }
  }

  // RFC 9651 4.1.11
  @Override
  public String serialize() {
    StringBuilder text = new StringBuilder(value.length() + 3).append("%\"");
    for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
      if (octet == '%' || octet == '"' || !Ascii.isPrintable(octet)) {
        text.append('%').append(HEX.charAt((octet >> 4) & 0xf)).append(HEX.charAt(octet & 0xf));
      } else {
        text.append((char) octet);
      }
    }
    return text.append('"').toString();
  }
}
