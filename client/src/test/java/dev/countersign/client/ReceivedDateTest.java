package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceivedDateTest {
  /** The examples of RFC 9110 section 5.6.7. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994"
      })
  void parse_eachForm_isTheSameTime(String text) {
    assertThat(ReceivedDate.parse(text)).contains(Instant.parse("1994-11-06T08:49:37Z"));
  }

  @Test
  void parse_twoDigitsOfAYear_areInTheCenturyOfTheWeekday() {
    assertThat(ReceivedDate.parse("Tuesday, 05-Mar-24 07:08:09 GMT"))
        .contains(Instant.parse("2024-03-05T07:08:09Z"));
    assertThat(ReceivedDate.parse("Thursday, 01-Jan-70 00:00:00 GMT")).contains(Instant.EPOCH);
    assertThat(ReceivedDate.parse("Tue Nov 15 08:12:31 1994"))
        .contains(Instant.parse("1994-11-15T08:12:31Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "soon",
        "Monday, 06-Nov-94 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 UTC",
        "Sunday, 6-Nov-94 08:49:37 GMT",
        "Sunday, 06-nov-94 08:49:37 GMT",
        "Sunday, 06-Nov-xx 08:49:37 GMT",
        "Sunday, 06-Nov-94 08.49.37 GMT",
        "Mon Nov  6 08:49:37 1994",
        "Sun Nov 6 08:49:37 1994",
        "Sun Nov 31 08:49:37 1994",
        "Sun Nov  6 08:49:37 1994 GMT",
        "Sun Nov  6 24:49:37 1994"
      })
  void parse_otherText_isEmpty(String text) {
    assertThat(ReceivedDate.parse(text)).isEmpty();
  }
}
