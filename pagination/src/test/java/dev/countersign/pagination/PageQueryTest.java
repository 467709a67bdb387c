package dev.countersign.pagination;

import static dev.countersign.pagination.Queries.assertInvalid;
import static dev.countersign.pagination.Queries.assertUnknown;
import static dev.countersign.pagination.Queries.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.pagination.PageParameterException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and encoding of a query, and the messages about them. */
class PageQueryTest {
  // Unknown parameters

  @Test
  void parse_unknownName_listsTheKnown() {
    assertUnknown(
        "filter=x",
        "filter",
        "filter is unknown; the parameters are page, size, sort, offset, totals");
  }

  @ParameterizedTest
  @CsvSource({
    "pagesize, page or size",
    "pageSize, page or size",
    "per_page, page",
    "Page, page",
    "pgae, page",
    "siz, size",
    "sorts, sort",
    "sortBy, sort",
    "ofset, offset",
    "offest, offset",
    "OFFSET, offset",
  })
  void parse_nearName_isSuggested(String name, String suggested) {
    assertThat(refusal(name + "=1"))
        .hasMessage(
            name
                + " is unknown; the parameters are page, size, sort, offset, totals; did you mean "
                + suggested
                + "?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"limit", "q", "cursor", "seize_the_day"})
  void parse_farName_isNotSuggested(String name) {
    assertThat(refusal(name + "=1").getMessage()).doesNotContain("did you mean");
  }

  @Test
  void parse_emptyName_isUnknown() {
    assertUnknown(
        "=5", "empty", "empty is unknown; the parameters are page, size, sort, offset, totals");
  }

  @Test
  void parse_unknownName_goesBeforeAnInvalidValue() {
    assertThat(refusal("size=500&pag=1").reason()).isEqualTo(Reason.PARAMETER_UNKNOWN);
  }

  @Test
  void parse_severalInvalidValues_sizeIsNamedFirst() {
    assertThat(refusal("sort=x&offset=-1&page=-1&size=-1").parameter()).isEqualTo("size");
  }

  // Encoding

  @ParameterizedTest
  @ValueSource(strings = {"%", "%4", "1%", "%zz", "%1g", "%%31", "%+1", "%-1"})
  void parse_brokenPercentEncoding_isInvalid(String value) {
    assertInvalid("page=" + value, "page", "page must be percent-encoded UTF-8, was " + value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%FF", "%C3", "%C3%28", "%C0%80", "%ED%A0%80", "%F5%80%80%80"})
  void parse_invalidUtf8_isInvalid(String value) {
    assertInvalid("sort=" + value, "sort", "sort must be percent-encoded UTF-8, was " + value);
  }

  @Test
  void parse_brokenName_isInvalidNamingIt() {
    assertInvalid("pa%ge=1", "pa%ge", "pa%ge must be percent-encoded UTF-8, was pa%ge");
  }

  @Test
  void parse_rawControl_isInvalidAndMadePrintable() {
    assertInvalid(
        "page=1\r\n", "page", "page must be percent-encoded UTF-8, was \"1\\u{D}\\u{A}\"");
  }

  @Test
  void parse_rawNonAscii_isInvalid() {
    assertInvalid("sort=größe", "sort", "sort must be percent-encoded UTF-8, was \"größe\"");
  }

  // Messages

  @Test
  void message_longValue_isCut() {
    assertInvalid(
        "size=" + "9".repeat(500), "size", "size must be 1 to 100, was " + "9".repeat(64) + "…");
  }

  @Test
  void parse_leadingZeros_areTakenUpToSixteenDigits() {
    PageRequest request = PageRequest.parse("size=" + "0".repeat(14) + "20", PageRules.defaults());
    assertThat(request.size()).isEqualTo(20);
    assertInvalid(
        "size=" + "0".repeat(15) + "20",
        "size",
        "size must be 1 to 100 in at most 16 digits, was " + "0".repeat(15) + "20");
  }

  @Test
  void message_longUnknownName_isCut() {
    assertThat(refusal("x".repeat(5000)).getMessage()).hasSizeLessThan(160);
  }

  @Test
  void message_controlsAndOverrides_areEscaped() {
    assertInvalid(
        "size=%00%1B%E2%80%AE%F0%9F%92%A9",
        "size", "size must be 1 to 100, was \"\\u{0}\\u{1B}\\u{202E}\\u{1F4A9}\"");
  }
}
