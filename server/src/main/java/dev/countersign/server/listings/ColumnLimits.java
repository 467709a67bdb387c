package dev.countersign.server.listings;

import dev.countersign.server.tables.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.Optional;

/**
 * Finds the values that a column would change. Without these rules, the database would round or cut
 * a caller's value silently. Each rule is a continuation of "must".
 */
record ColumnLimits(Table.Column.Limits limits) {
  private static final int NANO_DIGITS = 9;

  Optional<String> violationOfText(String text) {
    return limits.losses().contains(Table.Column.Loss.TRAILING_SPACES) && text.endsWith(" ")
        ? Optional.of("not end with a space")
        : Optional.empty();
  }

  Optional<String> violationOfDecimal(BigDecimal number) {
    BigDecimal shortest = number.stripTrailingZeros();
    int decimals = limits.decimals().orElse(Integer.MAX_VALUE);
    // Zero is a multiple of every number, but BigDecimal strips it only to a scale of 0.
    if (number.signum() != 0 && shortest.scale() > decimals) {
      return Optional.of(
          decimals < 0
              ? "be a multiple of " + BigDecimal.ONE.movePointRight(-decimals).toPlainString()
              : "have at most " + decimals + " digits after the point");
    }
    return switch (limits.precision()) {
      case EXACT -> Optional.empty();
      case SINGLE -> unless(isSingle(number), "single precision", 6);
      case DOUBLE -> unless(isDouble(number), "double precision", 15);
      case DOUBLE_OR_LONG ->
          unless(isDouble(number) || isLong(number), "double precision or 64 bits", 15);
    };
  }

  private static Optional<String> unless(boolean isKept, String precision, int digits) {
    return isKept
        ? Optional.empty()
        : Optional.of(
            "be a number that "
                + precision
                + " can store unchanged, such as any of at most "
                + digits
                + " significant digits");
  }

  // An answer writes the shortest decimal that identifies the stored value.
  private static boolean isSingle(BigDecimal number) {
    float stored = number.floatValue();
    return Float.isFinite(stored) && new BigDecimal(Float.toString(stored)).compareTo(number) == 0;
  }

  private static boolean isDouble(BigDecimal number) {
    double stored = number.doubleValue();
    return Double.isFinite(stored)
        && new BigDecimal(Double.toString(stored)).compareTo(number) == 0;
  }

  private static boolean isLong(BigDecimal number) {
    try {
      number.longValueExact();
      return true;
    } catch (ArithmeticException notLong) {
      return false;
    }
  }

  Optional<String> violationOfTimestamp(Instant instant) {
    int decimals = limits.decimals().orElse(NANO_DIGITS);
    BigDecimal fraction = BigDecimal.valueOf(instant.get(ChronoField.NANO_OF_SECOND), NANO_DIGITS);
    boolean isFiner = fraction.stripTrailingZeros().scale() > decimals;
    if (!isFiner) {
      return Optional.empty();
    }
    return Optional.of(
        decimals == 0
            ? "have no fraction of a second"
            : "have at most " + decimals + " digits after the point of the seconds");
  }

  Optional<String> violationOfJson(String json) {
    char first = json.strip().charAt(0);
    boolean isNumber = first == '-' || (first >= '0' && first <= '9');
    return isNumber && limits.losses().contains(Table.Column.Loss.JSON_NUMBER)
        ? Optional.of(
            "not be a number outside an object or array, because its column would change it")
        : Optional.empty();
  }
}
