package dev.countersign.signatures.fields;

import static dev.countersign.signatures.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BareItemTest {

  @ParameterizedTest
  @ValueSource(longs = {1_000_000_000_000_000L, -1_000_000_000_000_000L, Long.MIN_VALUE})
  void integerAndDate_sixteenDigits_throw(long value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IntegerItem(value))
        .withMessage("an Integer must be -999999999999999 to 999999999999999, was " + value);
    assertThatIllegalArgumentException().isThrownBy(() -> new DateItem(value));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 2.0",
    "100, 100.0",
    "1.20, 1.2",
    "0.0005, 0.0",
    "0.0015, 0.002",
    "-0.0004, 0.0",
    "999999999999.9994, 999999999999.999",
    "0E+1000000000, 0.0",
    "1E-1000000000, 0.0",
    "1E+11, 100000000000.0"
  })
  void decimal_isRoundedToItsCanonicalScale(BigDecimal value, String expected) {
    DecimalItem decimal = new DecimalItem(value);

    assertThat(decimal.serialize()).isEqualTo(expected);
    assertThat(decimal).isEqualTo(Item.parse(expected).value());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1000000000000", "999999999999.9995", "1E+1000000000", "-1E+12"})
  void decimal_thirteenDigitsBeforeThePoint_throws(BigDecimal value) {
    soon(() -> assertThatIllegalArgumentException().isThrownBy(() -> new DecimalItem(value)));
  }

  @Test
  void integerAndDecimal_sameNumber_areNotEqual() {
    assertThat(Item.parse("1")).isNotEqualTo(Item.parse("1.0"));
  }

  @Test
  void stringAndToken_sameText_areNotEqual() {
    assertThat(Item.parse("a")).isNotEqualTo(Item.parse("\"a\""));
  }

  @Test
  void string_quotesAndBackslashes_areEscaped() {
    assertThat(new StringItem("a\"b\\c").serialize()).isEqualTo("\"a\\\"b\\\\c\"");
    assertThat(Item.parse("\"a\\\"b\\\\c\"").value()).isEqualTo(new StringItem("a\"b\\c"));
  }

  @Test
  void string_beyondAscii_throwsWithTheIndexAlone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StringItem("fü"))
        .withMessage("a String must hold only the characters 0x20 to 0x7e, was 0xfc at index 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "a b", "a,", "é", "a\u0000"})
  void token_notOne_throws(String value) {
    assertThatIllegalArgumentException().isThrownBy(() -> new TokenItem(value));
  }

  @Test
  void displayString_unpairedSurrogate_throws() {
    assertThatIllegalArgumentException().isThrownBy(() -> new DisplayString("a\ud83d"));
  }

  @Test
  void displayString_beyondTheBasicPlane_comesBack() {
    DisplayString grin = new DisplayString("100% \"😀\"\n");

    assertThat(grin.serialize()).isEqualTo("%\"100%25 %22%f0%9f%98%80%22%0a\"");
    assertThat(Item.parse(grin.serialize()).value()).isEqualTo(grin);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%\"%ed%a0%80\"", "%\"%c0%80\"", "%\"%f4%90%80%80\"", "%\"%e2%82\""})
  void displayString_surrogateOverlongOrCutUtf8_throws(String input) {
    assertThatExceptionOfType(FieldParseException.class).isThrownBy(() -> Item.parse(input));
  }

  @ParameterizedTest
  @ValueSource(strings = {"١", "a=１", "é", "\"é\"", "\u00a0a", "a\u2028", "\ta"})
  void parse_beyondAscii_throws(String input) {
    assertThatExceptionOfType(FieldParseException.class).isThrownBy(() -> Item.parse(input));
  }
}
