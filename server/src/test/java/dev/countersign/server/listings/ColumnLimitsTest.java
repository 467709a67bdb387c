package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.Table;
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
            OptionalInt.empty(), OptionalInt.of(scale), OptionalInt.empty(), Set.of()));
  }

  @ParameterizedTest
  @CsvSource({"150, -2, 100", "1e2, -3, 1000", "0.5, -1, 10"})
  void brokenByDecimal_numberThatANegativeScaleRounds_namesTheMultiple(
      BigDecimal number, int scale, String multiple) {
    assertThat(ofScale(scale).brokenByDecimal(number)).hasValue("be a multiple of " + multiple);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0.00", "100", "-1.5e3", "12300"})
  void brokenByDecimal_multiple_isKept(BigDecimal number) {
    assertThat(ofScale(-2).brokenByDecimal(number)).isEmpty();
  }
}
