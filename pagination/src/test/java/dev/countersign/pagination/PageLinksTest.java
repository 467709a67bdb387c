package dev.countersign.pagination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageLinksTest {
  private static final String BASE = "https://api.example.com/ledger/v1/wallets";
  private static final PageRules RULES = PageRules.sortableBy("name", "createdAt");

  private static PageLinks links(String query, long totalElements) {
    return links(BASE + "?" + query, PageRequest.parse(query, RULES), totalElements);
  }

  private static PageLinks links(String uri, PageRequest request, long totalElements) {
    return PageLinks.of(uri, request, PageEnvelope.of(request, totalElements, 0));
  }

  @Test
  void toLinkHeader_middlePage_hasFourLinks() {
    assertThat(links("page=2&size=5", 23).toLinkHeader())
        .isEqualTo(
            """
            <https://api.example.com/ledger/v1/wallets?page=0&size=5>; rel="first", \
            <https://api.example.com/ledger/v1/wallets?page=1&size=5>; rel="prev", \
            <https://api.example.com/ledger/v1/wallets?page=3&size=5>; rel="next", \
            <https://api.example.com/ledger/v1/wallets?page=4&size=5>; rel="last\"""");
  }

  @Test
  void toLinkHeader_onlyPage_hasFirstAndLast() {
    assertThat(links(BASE, PageRequest.ofPage(0, 20), 3).toLinkHeader())
        .isEqualTo("<" + BASE + "?page=0>; rel=\"first\", <" + BASE + "?page=0>; rel=\"last\"");
  }

  /** The four numbers of the links; {@code -} means that there is no link. */
  private static String numbers(PageLinks links) {
    return String.join(
        " ",
        number(links.first()),
        links.prev().map(PageLinksTest::number).orElse("-"),
        links.next().map(PageLinksTest::number).orElse("-"),
        links.last().map(PageLinksTest::number).orElse("-"));
  }

  private static String number(String link) {
    return link.replaceFirst(".*(?:page|offset)=(\\d+).*", "$1");
  }

  @ParameterizedTest
  @CsvSource({
    // page, size, total, links
    "0,  5, 23, 0 - 1 4",
    "1,  5, 23, 0 0 2 4",
    "4,  5, 23, 0 3 - 4",
    "4,  5, 25, 0 3 - 4",
    "4,  5, 26, 0 3 5 5",
    "5,  5, 23, 0 4 - 4",
    "99, 5, 23, 0 4 - 4",
    "0,  5, 5,  0 - - 0",
    "0,  5, 0,  0 - - 0",
    "9,  5, 0,  0 0 - 0",
  })
  void links_byPage_leadToItsNeighbours(long page, int size, long total, String expected) {
    assertThat(numbers(links("page=" + page + "&size=" + size, total))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    // offset, size, total, links
    "0,  5, 23, 0 - 5 20",
    "5,  5, 23, 0 0 10 20",
    "7,  5, 23, 0 2 12 22",
    "2,  5, 23, 0 0 7 22",
    "22, 5, 23, 0 17 - 22",
    "3,  5, 23, 0 0 8 18",
    "18, 5, 23, 0 13 - 18",
    "27, 5, 23, 0 22 - 22",
    "99, 5, 23, 0 19 - 19",
    "4,  5, 3,  0 0 - 0",
    "9,  5, 3,  0 0 - 0",
    "0,  5, 0,  0 - - 0",
    "9,  5, 0,  0 0 - 0",
  })
  void links_byOffset_keepTheAlignment(long offset, int size, long total, String expected) {
    assertThat(numbers(links("offset=" + offset + "&size=" + size, total))).isEqualTo(expected);
  }

  @Test
  void links_ofAPageByCursor_areByCursorsAndOnlyForwards() {
    PageRules rules = RULES.withCursors();
    String query = "sort=name&after=AA&size=5";
    PageRequest request = PageRequest.parse(query, rules).withElementsBefore(10);
    PageEnvelope page = PageEnvelope.of(request, OptionalLong.of(23), true, 5);
    String called = BASE + "?" + query;
    assertThat(PageLinks.of(called, request, page, "BB").toLinkHeader())
        .isEqualTo(
            "<"
                + BASE
                + "?sort=name&after=&size=5>; rel=\"first\", <"
                + BASE
                + "?sort=name&after=BB&size=5>; rel=\"next\"");
    PageEnvelope last = PageEnvelope.of(request, OptionalLong.of(13), false, 3);
    assertThat(PageLinks.of(called, request, last).toLinkHeader())
        .isEqualTo("<" + BASE + "?sort=name&after=&size=5>; rel=\"first\"");
  }

  @Test
  void after_ofANumberedPage_leadsToTheNextOneByCursor() {
    PageRequest request = PageRequest.parse("page=1&size=5&sort=name", RULES);
    String called = BASE + "?page=1&size=5&sort=name";
    PageLinks links = PageLinks.of(called, request, PageEnvelope.of(request, 23, 5), "BB");
    assertThat(links.after()).contains(BASE + "?size=5&sort=name&after=BB");
    assertThat(links.next()).contains(BASE + "?page=2&size=5&sort=name");
    assertThat(links.toLinkHeader())
        .endsWith("&after=BB>; rel=\"https://countersign.dev/rels/after\"");
    assertThat(links(called, request, 23).after()).isEmpty();
    PageEnvelope last = PageEnvelope.of(request, 10, 5);
    assertThat(PageLinks.of(called, request, last, "BB").after()).isEmpty();
  }

  @Test
  void next_parameters_areKeptAsCalledAndInOrder() {
    assertThat(links("sort=name%2cdesc&page=1&s%69ze=5&sort=createdAt", 23).next())
        .contains(BASE + "?sort=name%2cdesc&page=2&s%69ze=5&sort=createdAt");
  }

  @Test
  void next_pageNotGiven_isAppended() {
    assertThat(links("size=5&sort=name", 23).next()).contains(BASE + "?size=5&sort=name&page=1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?", "?&", "?&&"})
  void next_withoutQuery_isWellFormed(String query) {
    assertThat(links(BASE + query, PageRequest.ofPage(0, 5), 23).next()).contains(BASE + "?page=1");
  }

  @Test
  void next_encodedPageName_isReplaced() {
    assertThat(links("p%61ge=1&size=5", 23).next()).contains(BASE + "?page=2&size=5");
  }

  @Test
  void next_pageBesideOffset_isDropped() {
    assertThat(links("page=9&size=5&offset=7", 23).next()).contains(BASE + "?size=5&offset=12");
  }

  @Test
  void next_emptyPairs_areDropped() {
    assertThat(links("&size=5&&page=0&", 23).next()).contains(BASE + "?size=5&page=1");
  }

  @Test
  void next_questionMarkInQuery_isKept() {
    String uri = BASE + "?x=a?b&page=0";
    assertThat(links(uri, PageRequest.ofPage(0, 5), 23).next()).contains(BASE + "?x=a?b&page=1");
  }

  @Test
  void first_ipv6Host_isKept() {
    assertThat(links("http://[::1]:8080/v1/a", PageRequest.ofPage(0, 5), 0).first())
        .isEqualTo("http://[::1]:8080/v1/a?page=0");
  }

  @Test
  void toLinkHeader_illegalCharacters_areEncoded() {
    String uri = BASE + "?x=a>; rel=\"next\"\r\nSet-Cookie: a=b, <é#\\^`{|}&page=0";
    PageLinks links = links(uri, PageRequest.ofPage(0, 5), 1);
    assertThat(links.first())
        .isEqualTo(
            BASE
                + "?x=a%3E;%20rel=%22next%22%0D%0ASet-Cookie:%20a=b,%20%3C%C3%A9%23%5C%5E%60%7B%7C%7D"
                + "&page=0");
    assertThat(URI.create(links.first()).isAbsolute()).isTrue();
  }

  @Test
  void links_largestNumbers_areReadBack() {
    long total = PageRequest.MAXIMUM_OFFSET;
    String last = links("offset=1&size=1", total).last().orElseThrow();
    assertThat(last).endsWith("?offset=" + (total - 1) + "&size=1");
    PageRequest request = PageRequest.parse(URI.create(last).getRawQuery(), RULES);
    assertThat(PageEnvelope.of(request, total, 1).last()).isTrue();
  }

  @Test
  void of_relativeUri_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> links("/v1/wallets", PageRequest.ofPage(0, 5), 1))
        .withMessage("targetUri must be absolute, was /v1/wallets");
  }

  @ParameterizedTest
  @CsvSource({
    // query, whether a record follows, links
    "page=0&size=5, true, 0 - 1 -",
    "page=2&size=5, true, 0 1 3 -",
    "page=2&size=5, false, 0 1 - -",
    "page=99&size=5, false, 0 98 - -",
    "offset=7&size=5, true, 0 2 12 -",
    "offset=3&size=5, false, 0 0 - -",
  })
  void links_ofAnUncountedList_doNotLeadToTheLastPage(
      String query, boolean hasNext, String expected) {
    String called = query + "&totals=none";
    PageRequest request = PageRequest.parse(called, RULES);
    PageLinks links =
        PageLinks.of(
            BASE + "?" + called,
            request,
            PageEnvelope.of(request, OptionalLong.empty(), hasNext, 0));
    assertThat(numbers(links)).isEqualTo(expected);
    assertThat(links.toLinkHeader()).contains("&totals=none>").doesNotContain("last");
  }

  private static String cursor(String... headers) {
    return PageLinks.cursor(List.of(headers), "next").orElse("none");
  }

  @Test
  void cursor_ofOwnLinks_isTheOneTheyHave() {
    PageRules rules = RULES.withCursors();
    String uri = BASE + "?page=1&size=5&q=%3E%2C";
    PageRequest numbered = PageRequest.parse("page=1&size=5", rules);
    PageRequest byCursor = PageRequest.parse("after=abc&size=5", rules);

    List<String> ofNumbered =
        List.of(
            PageLinks.of(uri, numbered, PageEnvelope.of(numbered, 23, 5), "x_Y-1").toLinkHeader());
    List<String> ofCursor =
        List.of(
            PageLinks.of(uri, byCursor, PageEnvelope.of(byCursor, 23, 5), "x_Y-2").toLinkHeader());

    assertThat(PageLinks.cursor(ofNumbered, PageLinks.CURSOR_RELATION)).hasValue("x_Y-1");
    assertThat(PageLinks.cursor(ofNumbered, "next")).as("its next is by number").isEmpty();
    assertThat(PageLinks.cursor(ofCursor, "next")).hasValue("x_Y-2");
    assertThat(PageLinks.cursor(ofCursor, PageLinks.CURSOR_RELATION))
        .as("another service's own parameter")
        .isEmpty();
    assertThat(cursor(links("page=1&size=5", 23).toLinkHeader())).isEqualTo("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "</rows?after=a>; rel=next | a",
        "<?a=1&after=a#after=b>;rel=next | a",
        "</rows?after=a%2Bb>; rel=\"next\" | a+b",
        "</rows?after=a>; REL=\"prev NEXT\" | a",
        "</rows?after=a> ; title=\"a, b; rel=x\" ; rel=next | a",
        "</rows?after=a>; title=\"\\\"\"; rel=next | a",
        "</rows?after=a>;;rel = next | a",
        ",, </x>; rel=x, , </rows?after=a>; rel=next | a",
        "</rows?after=a>; rel=next, </rows?after=b>; rel=next | a",
        "</rows?after=a>; rel=prev, <?after=b>; rel=next | b",
        "</rows?after=a>; rel=prev; rel=next | none",
        "</rows?after=a>; rel=next; anchor=\"/other\" | none",
        "</rows?after=>; rel=next | none",
        "</rows?after=%zz>; rel=next | none",
        "</rows#?after=a>; rel=next | none",
        "</rows?page=2>; rel=next | none",
        "</rows?after=a>; rev=next | none",
        "</rows?after=a; rel=next | none",
        "rows?after=a; rel=next | none",
        "</rows?after=a>; rel=\"next | a",
        "</rows?after=a>; rel=\"next\\ | none",
        "</rows?after=a> | none",
        "< | none",
      })
  void cursor_header_isReadAsFarAsItCanBe(String header, String expected) {
    assertThat(cursor(header)).isEqualTo(expected);
  }

  @Test
  void cursor_malformedHeader_doesNotHideAnother() {
    assertThat(cursor("<a", "", "</rows?after=a>; rel=next")).isEqualTo("a");
    assertThat(cursor()).isEqualTo("none");
  }
}
