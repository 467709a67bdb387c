package dev.countersign.protocol;

import java.math.BigDecimal;

/**
 * Decimals as the service reads and writes them.
 *
 * <p>Design note: a few characters such as {@code 1e100000} stand for many kilobytes of digits, so
 * a decimal is expanded only within bounds.
 */
public final class DecimalText {
  /** The maximum number of significant digits. */
  public static final int MAXIMUM_DIGITS = 1_000;

  /** The maximum absolute value of the exponent of a decimal in scientific notation. */
  public static final int MAXIMUM_EXPONENT = 1_000;

  /** The maximum length of the text of a decimal within these bounds, without superfluous zeros. */
  public static final int MAXIMUM_LENGTH = MAXIMUM_DIGITS + MAXIMUM_EXPONENT + 10;

  private DecimalText() {}

  /**
   * Returns whether a decimal has at most 1,000 significant digits, and an exponent of -1000 to
   * 1000 in scientific notation. Expands nothing.
   */
  public static boolean isBounded(BigDecimal decimal) {
    return decimal.precision() <= MAXIMUM_DIGITS && hasBoundedExponent(decimal, MAXIMUM_EXPONENT);
  }

  /** Returns whether the absolute value of a decimal's exponent is at most the given maximum. */
  public static boolean hasBoundedExponent(BigDecimal decimal, int maximum) {
    return Math.abs((long) decimal.precision() - decimal.scale() - 1) <= maximum;
  }

  /**
   * Writes a decimal with its scale in plain digits, such as {@code 0.000000000000000000}. Writes a
   * decimal beyond the bounds, or with a negative scale such as {@code 1.0E+300}, as {@link
   * BigDecimal#toString()} does, because its plain digits could be too many, or more than are
   * known. Both forms are JSON numbers (RFC 8259 section 6).
   */
  public static String of(BigDecimal decimal) {
    return decimal.scale() >= 0 && isBounded(decimal)
        ? decimal.toPlainString()
        : decimal.toString();
  }
}
