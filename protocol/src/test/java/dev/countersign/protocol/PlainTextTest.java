package dev.countersign.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "=1+1",
        "=\"1\"",
        "+1+1",
        "-1-1",
        "@SUM(A1)",
        "\t1",
        "\r1",
        "'1",
        "+",
        "-",
        "-x",
        "+1e",
        "-1.",
        "=cmd|' /C calc'!A0",
        "-1\n"
      })
  void spreadsheetCell_thatASpreadsheetWouldRun_getsAnApostrophe(String text) {
    assertThat(PlainText.spreadsheetCell(text)).isEqualTo("'" + text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", "1=1", " =1", "-5", "+5", "-5.00", "-1e-7", "2.5E+10", "{\"a\":1}"})
  void spreadsheetCell_ofPlainTextOrANumber_isUnchanged(String text) {
    assertThat(PlainText.spreadsheetCell(text)).isEqualTo(text);
  }
}
