package dev.countersign.signatures.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldParseExceptionTest {

  @Test
  void message_isOneLine() {
    FieldParseException failure = dictionaryFailure("sig=(\"@method\" \"@target-uri \"date\")");

    assertThat(failure).hasMessage("expected ')' or a space at position 29");
    assertThat(failure.position()).isEqualTo(29);
    assertThat(failure.expectation()).isEqualTo("')' or a space");
    assertThat(failure.input()).isEqualTo("sig=(\"@method\" \"@target-uri \"date\")");
  }

  @Test
  void caret_standsUnderThePosition() {
    assertThat(dictionaryFailure("sig=(\"@method\" \"@target-uri \"date\");created=1").caret())
        .isEqualTo(
            """
            sig=("@method" "@target-uri "date");created=1
                                         ^ expected ')' or a space\
            """);
  }

  @Test
  void caret_longInput_isWindowed() {
    String input = "a, ".repeat(1000) + "B" + ", a".repeat(1000);

    assertThat(dictionaryFailure(input).caret())
        .isEqualTo(
            String.format(
                Locale.ROOT,
                """
                ...%sB%s...
                %s^ expected a key (a lower-case letter or '*' first)\
                """,
                ", " + "a, ".repeat(16),
                ", a".repeat(17).substring(0, 49),
                " ".repeat(3 + 50)));
  }

  @Test
  void caret_longInputFailingAtItsEnd_showsTheLastColumns() {
    assertThat(dictionaryFailure("a=\"" + "x".repeat(500)).caret())
        .isEqualTo("..." + "x".repeat(100) + "\n" + " ".repeat(103) + "^ expected a closing '\"'");
  }

  @Test
  void caret_controlCharacters_areReplacedOneForOne() {
    assertThat(dictionaryFailure("a=\"\u001b[31m\r\n\u202e").caret())
        .isEqualTo(
            """
            a="\ufffd[31m\ufffd\ufffd\ufffd
               ^ expected a printable ASCII character or a closing '"'\
            """);
  }

  @Test
  void message_neverShowsInput() {
    assertThat(dictionaryFailure("a=\u001bsecret").getMessage())
        .isEqualTo("expected an item at position 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      textBlock =
          """
          a,|2|another member after ','
          a,,b|2|a key (a lower-case letter or '*' first)
          a b|2|',' or the end of the field value
          a=|2|an item
          a=1;|4|a key (a lower-case letter or '*' first)
          a=1;b=|6|an item
          a=(1|4|')' or a space
          a=(1 |5|')' or an item
          a=((|3|an item
          a="b|4|a closing '"'
          a="b\\|5|'"' or '\\' after '\\'
          a="b\\n"|5|'"' or '\\' after '\\'
          a=-|3|a digit
          a=1.|4|a digit after '.'
          a=1.2345|7|at most 3 digits
          a=1234567890123456|17|at most 15 digits
          a=1234567890123.0|15|at most 12 digits before '.'
          a=?2|3|'0' or '1'
          a=@1.5|3|whole seconds
          a=%a|3|'"' after '%'
          a=%"%C3"|5|two hexadecimal digits in lower case after '%'
          a=%"%ff"|2|a Display String of well-formed UTF-8
          a=:YQ|5|a base64 character or a closing ':'
          a=:Y_:|4|a base64 character or a closing ':'
          a=:Y:|3|well-formed base64
          """)
  void position_isWhereTheRuleBreaks(String input, int position, String expectation) {
    FieldParseException failure = dictionaryFailure(input);

    assertThat(failure.expectation()).isEqualTo(expectation);
    assertThat(failure.position()).isEqualTo(position);
  }

  @Test
  void itemParse_moreBehindIt_throws() {
    FieldParseException failure =
        catchThrowableOfType(FieldParseException.class, () -> Item.parse("1 , 2"));

    assertThat(failure).hasMessage("expected the end of the field value at position 2");
  }

  private static FieldParseException dictionaryFailure(String input) {
    return catchThrowableOfType(FieldParseException.class, () -> Dictionary.parse(input));
  }
}
