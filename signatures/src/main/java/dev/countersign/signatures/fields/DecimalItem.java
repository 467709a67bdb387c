package dev.countersign.signatures.fields;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A number with at most twelve digits before the point and one to three after it: {@code 4.5}.
 *
 * <p>A finer value is rounded to three places, half to even. The value is kept in its canonical
 * scale, so {@code 1.20} and {@code 1.2} are equal and {@code 2} becomes {@code 2.0}.
 *
 * @param value -999,999,999,999.999 to 999,999,999,999.999
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.3.2">RFC 9651 3.3.2</a>
 */
public record DecimalItem(BigDecimal value) implements BareItem {

  private static final int INTEGER_DIGITS = 12;
  private static final int FRACTION_DIGITS = 3;
  private static final BigDecimal ZERO = new BigDecimal("0.0");

  /**
   * @throws IllegalArgumentException if the rounded value has more than twelve digits before the
   *     point
   */
  public DecimalItem {
    value = canonical(value);
  }

  // RFC 9651 4.1.5: round first, then count the digits of the integer component.
  private static BigDecimal canonical(BigDecimal value) {
    // Design note: an exponent of a billion must not become a billion digits, so magnitudes that
    // are certain to overflow or to round to zero never reach setScale.
    long digits = (long) value.precision() - value.scale();
    if (value.signum() == 0 || digits < -FRACTION_DIGITS) {
      return ZERO;
    }
    if (digits > INTEGER_DIGITS) {
      throw tooLarge();
    }
    BigDecimal rounded =
        value.setScale(FRACTION_DIGITS, RoundingMode.HALF_EVEN).stripTrailingZeros();
    if (rounded.precision() - rounded.scale() > INTEGER_DIGITS) {
      throw tooLarge();
    }
    return rounded.signum() == 0 ? ZERO : rounded.setScale(Math.max(1, rounded.scale()));
  }

  private static IllegalArgumentException tooLarge() {
    return new IllegalArgumentException(
        "a Decimal must have at most " + INTEGER_DIGITS + " digits before the point");
  }

  // RFC 9651 4.1.5
  @Override
  public String serialize() {
    return value.toPlainString();
  }
}
