package dev.countersign.signatures.fields;

/**
 * A whole number of at most fifteen digits: {@code 42}.
 *
 * @param value -999,999,999,999,999 to 999,999,999,999,999
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3.1">RFC 9651 3.3.1</a>
 */
public record IntegerItem(long value) implements BareItem {

  private static final long MAX = 999_999_999_999_999L;

  /**
   * @throws IllegalArgumentException if the value needs more than fifteen digits
   */
  public IntegerItem {
    check("an Integer", value);
  }

  // RFC 9651 3.3.1: at most fifteen digits, so that IEEE 754 doubles represent every value exactly.
  static void check(String subject, long value) {
    if (value < -MAX || value > MAX) {
      throw new IllegalArgumentException(
          subject + " must be " + -MAX + " to " + MAX + ", was " + value);
    }
  }

  // RFC 9651 4.1.4
  @Override
  public String serialize() {
    return Long.toString(value);
  }
}
