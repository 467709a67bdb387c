package dev.countersign.signatures.fields;

/**
 * A short word without quotes: {@code text/html}.
 *
 * @param value a letter or {@code *}, then letters, digits and any of {@code !#$%&'*+-.^_`|~:/}
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3.4">RFC 9651 3.3.4</a>
 */
public record TokenItem(String value) implements BareItem {

  /**
   * @throws IllegalArgumentException if the value is not a Token
   */
  public TokenItem {
    boolean valid = !value.isEmpty() && Ascii.isTokenStart(value.charAt(0));
    for (int i = 1; valid && i < value.length(); i++) {
      valid = Ascii.isTokenPart(value.charAt(i));
    }
    if (!valid) {
      throw new IllegalArgumentException(
          "a Token must be a letter or '*', then letters, digits or !#$%&'*+-.^_`|~:/, was '"
              + Ascii.printable(value)
              + "'");
    }
  }

  // RFC 9651 4.1.7
  @Override
  public String serialize() {
    return value;
  }
}
