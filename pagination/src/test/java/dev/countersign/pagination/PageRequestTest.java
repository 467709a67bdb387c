package dev.countersign.pagination;

import static dev.countersign.pagination.Queries.RULES;
import static dev.countersign.pagination.Queries.assertInvalid;
import static dev.countersign.pagination.Queries.parse;
import static dev.countersign.pagination.Queries.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.pagination.Sort.Order;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The start and the size of a page. */
class PageRequestTest {
  // Defaults

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "&", "&&"})
  void parse_nothingGiven_isTheFirstPageOfDefaultSize(String query) {
    assertThat(parse(query)).isEqualTo(PageRequest.ofPage(0, 20));
  }

  @Test
  void parse_defaultSizeOfRules_isTaken() {
    PageRules rules = RULES.withDefaultSize(7);
    assertThat(PageRequest.parse("page=3", rules)).isEqualTo(PageRequest.ofPage(3, 7));
  }

  @Test
  void parse_emptyPairs_arePassedOver() {
    assertThat(parse("&page=2&&size=5&")).isEqualTo(PageRequest.ofPage(2, 5));
  }

  // Page and offset

  @Test
  void parse_pageAndSize_giveTheOffset() {
    PageRequest request = parse("page=3&size=50");
    assertThat(request.offset()).isEqualTo(150);
    assertThat(request.number()).isEqualTo(3);
    assertThat(request.byOffset()).isFalse();
  }

  @Test
  void parse_sizeAfterPage_countsAllTheSame() {
    assertThat(parse("size=50&page=3")).isEqualTo(parse("page=3&size=50"));
  }

  @Test
  void parse_offset_needNotBeAMultipleOfSize() {
    PageRequest request = parse("offset=47&size=20");
    assertThat(request).isEqualTo(PageRequest.ofOffset(47, 20));
    assertThat(request.number()).isEqualTo(2);
    assertThat(request.byOffset()).isTrue();
  }

  @Test
  void parse_offsetZero_isByOffset() {
    assertThat(parse("offset=0").byOffset()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"page=9&offset=5", "offset=5&page=9"})
  void parse_pageAndOffset_offsetWins(String query) {
    assertThat(parse(query)).isEqualTo(PageRequest.ofOffset(5, 20));
  }

  @Test
  void parse_pageBesideOffset_isStillChecked() {
    assertInvalid("offset=5&page=-1", "page", "page must be 0 to 450359962737049, was -1");
  }

  // Numbers

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 99, 100})
  void size_inBounds_isTaken(int size) {
    assertThat(parse("size=" + size).size()).isEqualTo(size);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "101", "500", "-1", "1.0", "1e1", "0x10", "20a", "2_0", "4294967316"})
  void size_outOfBounds_isInvalidNamingValueAndBounds(String value) {
    assertInvalid("size=" + value, "size", "size must be 1 to 100, was " + value);
  }

  @Test
  void size_maximumOfRules_isTheBound() {
    PageRules rules = RULES.withMaximumSize(30);
    assertThat(
            catchThrowableOfType(
                PageParameterException.class, () -> PageRequest.parse("size=31", rules)))
        .hasMessage("size must be 1 to 30, was 31");
  }

  @ParameterizedTest
  @ValueSource(strings = {"page", "page="})
  void page_withoutValue_isInvalid(String query) {
    assertInvalid(query, "page", "page must be 0 to 450359962737049, was empty");
  }

  @Test
  void page_spaceInFront_isInvalid() {
    assertInvalid("page=%201", "page", "page must be 0 to 450359962737049, was \" 1\"");
  }

  @Test
  void page_plusInFront_isASpaceAndInvalid() {
    assertInvalid("page=+1", "page", "page must be 0 to 450359962737049, was \" 1\"");
  }

  @Test
  void page_encodedPlusInFront_isInvalid() {
    assertInvalid("page=%2B1", "page", "page must be 0 to 450359962737049, was +1");
  }

  @Test
  void page_digitsOfAnotherScript_areInvalid() {
    assertInvalid("page=%D9%A1", "page", "page must be 0 to 450359962737049, was \"١\"");
  }

  @Test
  void page_leadingZeros_areDigits() {
    assertThat(parse("page=" + "0".repeat(15) + "7").number()).isEqualTo(7);
  }

  @Test
  void page_encodedDigitsAndName_areDecoded() {
    assertThat(parse("p%61ge=%37").number()).isEqualTo(7);
  }

  @Test
  void page_largest_isTaken() {
    assertThat(parse("page=450359962737049").offset()).isEqualTo(450359962737049L * 20);
  }

  @ParameterizedTest
  @CsvSource({
    "450359962737050, 20, 450359962737049",
    "90071992547410, 100, 90071992547409",
    "9007199254740992, 1, 9007199254740991",
    "9223372036854775807, 2, 4503599627370495",
    "9223372036854775808, 20, 450359962737049",
    "18446744073709551616, 20, 450359962737049",
  })
  void page_timesSizeOverTheLargestOffset_isInvalid(String page, int size, long bound) {
    assertInvalid(
        "page=" + page + "&size=" + size, "page", "page must be 0 to " + bound + ", was " + page);
  }

  @Test
  void offset_largest_isTaken() {
    assertThat(parse("offset=9007199254740991").offset()).isEqualTo(PageRequest.MAXIMUM_OFFSET);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "9007199254740992", "9223372036854775807", "99999999999999999999"})
  void offset_outOfBounds_isInvalid(String value) {
    assertInvalid(
        "offset=" + value, "offset", "offset must be 0 to 9007199254740991, was " + value);
  }

  @ParameterizedTest
  @CsvSource({"page,0 to 450359962737049", "size,1 to 100", "offset,0 to 9007199254740991"})
  void number_givenTwice_isInvalidNamingBoth(String name, String bounds) {
    assertInvalid(
        name + "=1&" + name + "=2",
        name,
        name + " must be " + bounds + " and given once, was 1 and 2");
  }

  @Test
  void number_givenTwiceTheSame_isInvalid() {
    assertThat(refusal("page=1&page=1").parameter()).isEqualTo("page");
  }

  @Test
  void number_givenTwiceOnceEncoded_isInvalid() {
    assertThat(refusal("page=1&%70age=2").parameter()).isEqualTo("page");
  }

  // Made by hand

  @Test
  void ofPage_numberOverTheLargestOffset_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageRequest.ofPage(Long.MAX_VALUE, 2))
        .withMessage("number must be 0 to 4503599627370495, was 9223372036854775807");
  }

  @Test
  void ofPage_sizeZero_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageRequest.ofPage(0, 0))
        .withMessage("size must be at least 1, was 0");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, PageRequest.MAXIMUM_OFFSET / 5 + 1, Long.MIN_VALUE, Long.MAX_VALUE})
  void ofPage_numberOutOfRange_throws(long number) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageRequest.ofPage(number, 5))
        .withMessage("number must be 0 to 1801439850948198, was " + number);
  }

  @Test
  void ofOffset_tooLarge_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageRequest.ofOffset(PageRequest.MAXIMUM_OFFSET + 1, 5))
        .withMessage("offset must be 0 to 9007199254740991, was 9007199254740992");
  }

  @Test
  void ofOffset_negative_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageRequest.ofOffset(-1, 5))
        .withMessage("offset must be 0 to 9007199254740991, was -1");
  }

  @Test
  void constructor_numberedPageBetweenPages_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PageRequest(7, 5, Sort.unsorted(), false))
        .withMessage("offset of a numbered page must be a multiple of size 5, was 7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "page=0&size=20",
        "page=3&size=100&sort=name,asc&sort=createdAt,desc",
        "offset=47&size=1&sort=currencyCode,desc"
      })
  void toQuery_canonicalQuery_comesBackAsItWas(String query) {
    assertThat(parse(query).toQuery()).isEqualTo(query);
  }

  @Test
  void toQuery_propertyThatNeedsEncoding_isReadBack() {
    PageRules rules = PageRules.sortableBy("größe & co", "50%+");
    PageRequest request =
        PageRequest.ofPage(1, 5).withSort(Sort.by(Order.desc("größe & co"), Order.asc("50%+")));
    assertThat(PageRequest.parse(request.toQuery(), rules)).isEqualTo(request);
  }

  @Test
  void parse_additionalParameters_areKeptInTheirOrder() {
    PageRules rules = PageRules.defaults().withParameters(List.of("status", "amount.gte"));
    PageRequest request =
        PageRequest.parse("amount%2Egte=1&status=A%26B&size=5&status=&amount.gte=%C3%A4", rules);
    assertThat(request.parameters())
        .containsExactly(
            new PageRequest.Parameter("amount.gte", "1"),
            new PageRequest.Parameter("status", "A&B"),
            new PageRequest.Parameter("status", ""),
            new PageRequest.Parameter("amount.gte", "ä"));
    assertThat(PageRequest.parse(request.toQuery(), rules)).isEqualTo(request);
    assertThat(request.withSort(Sort.unsorted())).isEqualTo(request);
    assertThat(request.withParameters(List.of()).toQuery()).isEqualTo("page=0&size=5");
  }

  @ParameterizedTest
  @CsvSource({
    "createdAt[gte], createdAt.gte",
    "created_at.gte, createdAt.gte",
    "createdat.lt, createdAt.lt",
    "createdAt.ge, createdAt.gte or createdAt.gt",
    "createdAtgte, createdAt",
    "created, createdAt",
    "customerId, ''",
    "statusCode, status",
    "state, status",
  })
  void parse_unknownFilter_suggestsTheNearest(String name, String suggested) {
    PageRules rules =
        PageRules.defaults()
            .withParameters(
                List.of(
                    "id",
                    "status",
                    "createdAt",
                    "status.gte",
                    "status.gt",
                    "createdAt.gte",
                    "createdAt.gt",
                    "createdAt.lte",
                    "createdAt.lt"));
    String query = name.replace("[", "%5B").replace("]", "%5D") + "=1";
    assertThatThrownBy(() -> PageRequest.parse(query, rules))
        .hasMessageEndingWith(
            "createdAt.lt" + (suggested.isEmpty() ? "" : "; did you mean " + suggested + "?"));
  }

  @Test
  void parse_after_isTheCursorOfAListThatHasThem() {
    PageRules rules = PageRules.defaults().withCursors();
    PageRequest request = PageRequest.parse("after=a%2Fb&size=5", rules);
    assertThat(request.after()).isEqualTo("a/b");
    assertThat(request.offset()).isZero();
    assertThat(request.withElementsBefore(7).offset()).isEqualTo(7);
    assertThat(request.withElementsBefore(7).number()).isEqualTo(1);
    assertThat(request.toQuery()).isEqualTo("after=a%2Fb&size=5");
    assertThat(PageRequest.parse("after=", rules).after()).isEmpty();
    assertThat(PageRequest.parse("", rules).after()).isNull();
    assertThatThrownBy(() -> PageRequest.parse("after=a", PageRules.defaults()))
        .hasMessage("after is unknown; the parameters are page, size, sort, offset, totals");
    assertThatThrownBy(() -> PageRequest.ofPage(0, 5).withElementsBefore(7))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "after=a&page=0, 'be given without page and offset, was a'",
    "offset=7&after=a, 'be given without page and offset, was a'",
    "after=a&after=b, 'be given once, was a and b'",
    "after=0123456789abcdefgh&page=0, 'be given without page and offset, was 0123456789abcdef...'",
    "after=0123456789abcdefgh%, 'be percent-encoded UTF-8, was 0123456789abcdef...'",
  })
  void parse_afterBesideAnotherPlace_isRefused(String query, String rule) {
    PageRules rules = PageRules.defaults().withCursors();
    assertThatThrownBy(() -> PageRequest.parse(query, rules)).hasMessage("after must " + rule);
  }

  @Test
  void parse_totalsNone_leavesThemOut() {
    assertThat(parse("page=2").wantsTotals()).isTrue();
    assertThat(parse("totals=none")).isEqualTo(PageRequest.ofPage(0, 20).withoutTotals());
    assertThat(parse("t%6Ftals=n%6Fne&page=2"))
        .isEqualTo(PageRequest.ofPage(2, 20).withoutTotals());
    assertThat(parse("totals=none").toQuery()).isEqualTo("page=0&size=20&totals=none");
  }

  @ParameterizedTest
  @CsvSource({
    "totals=, 'be none, was empty'",
    "totals, 'be none, was empty'",
    "totals=exact, 'be none, was exact'",
    "totals=None, 'be none, was None'",
    "totals=none&totals=none, 'be none and given once, was none and none'",
  })
  void parse_otherTotals_areRefused(String query, String rule) {
    assertThatThrownBy(() -> parse(query)).hasMessage("totals must " + rule);
  }

  @Test
  void parse_unknownParameter_namesTheAdditionalOnes() {
    PageRules rules = PageRules.defaults().withParameters(List.of("currencyCode", "status"));
    assertThatThrownBy(() -> PageRequest.parse("currencycode=EUR", rules))
        .hasMessage(
            "currencycode is unknown; the parameters are page, size, sort, offset, totals, currencyCode,"
                + " status; did you mean currencyCode?");
    assertThatThrownBy(() -> PageRequest.parse("status=%FF", rules))
        .hasMessage("status must be percent-encoded UTF-8, was %FF");
  }
}
