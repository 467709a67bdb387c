package dev.countersign.signatures.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of RFC 9110 section 5.6.7 that senders must use, and the others, which are refused. */
class HttpDateTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Sun, 06 Nov 1994 08:49:37 GMT | 1994-11-06T08:49:37Z",
        "Thu, 01 Jan 1970 00:00:00 GMT | 1970-01-01T00:00:00Z",
        "Thu, 29 Feb 2024 23:59:59 GMT | 2024-02-29T23:59:59Z",
        "Tue, 29 Feb 2000 00:00:00 GMT | 2000-02-29T00:00:00Z",
        "Fri, 31 Dec 9999 23:59:59 GMT | 9999-12-31T23:59:59Z",
        "Mon, 01 Apr 2024 00:00:00 GMT | 2024-04-01T00:00:00Z",
        "Wed, 10 Jul 2024 12:00:00 GMT | 2024-07-10T12:00:00Z",
        "Sat, 31 Aug 2024 12:00:00 GMT | 2024-08-31T12:00:00Z",
      })
  void date_ofTheFixedForm_isReadAndWritten(String text, Instant instant) {
    assertThat(HttpDate.parse(text)).isEqualTo(instant);
    assertThat(HttpDate.format(instant)).isEqualTo(text);
  }

  @Test
  void parse_dayOfOneDigit_isRead() {
    assertThat(HttpDate.parse("Sun, 6 Nov 1994 08:49:37 GMT"))
        .isEqualTo(Instant.parse("1994-11-06T08:49:37Z"));
  }

  @Test
  void format_partOfASecond_isCutOff() {
    assertThat(HttpDate.format(Instant.parse("1994-11-06T08:49:37.999999999Z")))
        .isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sunday, 06-Nov-94 08:49:37 GMT", // RFC 850
        "Sun Nov  6 08:49:37 1994", // asctime
        "Mon, 06 Nov 1994 08:49:37 GMT", // it was a Sunday
        "Thu, 29 Feb 2023 00:00:00 GMT",
        "Wed, 29 Feb 2023 00:00:00 GMT",
        "Thu, 29 Feb 1900 00:00:00 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 0 Nov 1994 08:49:37 GMT",
        "Sun, 32 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT",
        "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 NOV 1994 08:49:37 GMT",
        "Son, 06 Nov 1994 08:49:37 GMT",
        "Thu, 06 anF 1994 08:49:37 GMT", // 6 January 1994 was a Thursday
        "onT, 03 Jan 1994 08:49:37 GMT", // 3 January 1994 was a Monday
        "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:60 GMT",
        "Sun, 06 Nov 1994 08:49:37 gmt",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 EST",
        "Sun, 06 Nov 1994 08:49:37 +00",
        "Sun, 06 Nov 1994 08:49:37 GMT ",
        " Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37  GMT",
        "Sun,  6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 Nov 01994 08:49:37 GMT",
        "Sun, 6 Nov 01994 08:49:37 GMT",
        "Sun, -6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov +994 08:49:37 GMT",
        "Sun; 06 Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08.49.37 GMT",
        "Sun, \u0660\u0666 Nov 1994 08:49:37 GMT",
        "06 Nov 1994 08:49:37 GMT",
        "1994-11-06T08:49:37Z",
        "GMT",
        "",
      })
  void parse_anotherForm_throws(String text) {
    assertThatExceptionOfType(DateTimeException.class).isThrownBy(() -> HttpDate.parse(text));
  }

  @Test
  void parse_anyOneCharacterChanged_throwsNothingElse() {
    String text = "Sun, 06 Nov 1994 08:49:37 GMT";
    for (int i = 0; i < text.length(); i++) {
      for (char c : "0 9:,aZ\u0000\uffff".toCharArray()) {
        String other = text.substring(0, i) + c + text.substring(i + 1);
        try {
          assertThat(HttpDate.format(HttpDate.parse(other))).isEqualTo(other);
        } catch (DateTimeException expected) {
          assertThat(other).isNotEqualTo(text);
        }
      }
    }
  }

  @Test
  void parse_everyDayOfFourCenturies_agreesWithTheJdk() {
    DateTimeFormatter jdk =
        DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    Instant start = Instant.parse("1900-01-01T12:34:56Z");
    for (int day = 0; day < 146_097; day++) {
      Instant instant = start.plusSeconds(day * 86_400L);
      assertThat(HttpDate.parse(HttpDate.format(instant))).isEqualTo(instant);
      assertThat(HttpDate.parse(jdk.format(instant))).isEqualTo(instant);
    }
  }
}
