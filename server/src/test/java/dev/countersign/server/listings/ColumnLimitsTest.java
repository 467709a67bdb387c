package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.tables.Table;
import java.math.BigDecimal;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Before version 15, PostgreSQL has no negative scale; ColumnTypesTest tests the other limits. */
class ColumnLimitsTest {
  private static ColumnLimits ofScale(int scale) {
    return new ColumnLimits(
        new Table.Column.Limits(
            OptionalInt.empty(), OptionalInt.of(scale), Table.Column.Precision.EXACT, Set.of()));
  }

  @ParameterizedTest
  @CsvSource({"150, -2, 100", "1e2, -3, 1000", "0.5, -1, 10"})
  void brokenByDecimal_numberThatANegativeScaleRounds_namesTheMultiple(
      BigDecimal number, int scale, String multiple) {
    assertThat(ofScale(scale).violationOfDecimal(number)).hasValue("be a multiple of " + multiple);
  }

  @ParameterizedTest
  @CsvSource({
    "SINGLE, 0.1, true",
    "SINGLE, 16777216, true",
    "SINGLE, 16777217, false",
    "SINGLE, 0.123456789, false",
    "SINGLE, 1e39, false",
    "DOUBLE, 0.30000000000000004, true",
    "DOUBLE, 0.300000000000000041, false",
    "DOUBLE, 9007199254740993, false",
    "DOUBLE, -1e300, true",
    "DOUBLE, 1e309, false",
    "DOUBLE_OR_LONG, 9007199254740993.00, true",
    "DOUBLE_OR_LONG, 9223372036854775807, true",
    "DOUBLE_OR_LONG, 9223372036854775809, false",
    "DOUBLE_OR_LONG, 1e1000, false",
    "EXACT, 1e1000, true",
  })
  void brokenByDecimal_knowsWhatIsStoredUnchanged(
      Table.Column.Precision precision, BigDecimal number, boolean isKept) {
    ColumnLimits limits =
        new ColumnLimits(
            new Table.Column.Limits(OptionalInt.empty(), OptionalInt.empty(), precision, Set.of()));
    assertThat(limits.violationOfDecimal(number).isEmpty()).isEqualTo(isKept);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0.00", "100", "-1.5e3", "12300"})
  void brokenByDecimal_multiple_isKept(BigDecimal number) {
    assertThat(ofScale(-2).violationOfDecimal(number)).isEmpty();
  }
}
