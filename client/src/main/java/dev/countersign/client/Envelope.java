package dev.countersign.client;

import dev.countersign.pagination.PageLinks;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/** Reads the page envelope of the partner interface, and compares it with the request. */
final class Envelope {
  private final JsonNode document;
  private final FinalResponse answer;

  private Envelope(JsonNode document, FinalResponse answer) {
    this.document = document;
    this.answer = answer;
  }

  /**
   * Reads the page.
   *
   * @param requested the requested page
   * @param size the requested size
   * @throws CountersignException with {@code answer_malformed} when the document is not a page, or
   *     with {@code page_unexpected} when it is not the requested page
   */
  static ListPage<JsonNode> read(
      JsonNode document, FinalResponse answer, NextPage requested, int size) {
    Envelope envelope = new Envelope(document, answer);
    ListPage<JsonNode> page = envelope.page(requested);
    envelope.checkPlace(page, size);
    envelope.checkLength(page);
    if (requested.isByCursor() || page.totalElements().isEmpty()) {
      envelope.checkEnd(page);
    } else {
      envelope.checkEnd(page, page.totalElements().getAsLong());
    }
    requested.cursor().ifPresent(cursor -> envelope.checkProgress(page, cursor));
    return page;
  }

  private ListPage<JsonNode> page(NextPage requested) {
    JsonNode content = document.path("content");
    if (!content.isArray()) {
      throw malformed("content", "an array", content);
    }
    boolean last = flag("last");
    Optional<String> cursor =
        PageLinks.cursor(
            answer.response().headers().allValues("link"),
            requested.isByCursor() ? "next" : PageLinks.CURSOR_RELATION);
    // Without cursors, a walk needs the totals to notice that records have moved.
    boolean mayLackTotals = last || cursor.isPresent() || requested.isByCursor();
    return new ListPage<>(
        content.valueStream().toList(),
        requested.offset().orElseGet(this::reportedOffset),
        count("number"),
        (int) count("size", Integer.MAX_VALUE),
        countIfAny("totalElements", mayLackTotals),
        countIfAny("totalPages", mayLackTotals),
        flag("first"),
        last,
        cursor);
  }

  /** The offset of the page; computed if the service leaves out {@code pageable}. */
  private long reportedOffset() {
    return offset().isMissingNode()
        ? count("number", Integer.MAX_VALUE) * count("size", Integer.MAX_VALUE)
        : count("pageable.offset", offset(), Long.MAX_VALUE);
  }

  private JsonNode offset() {
    return document.path("pageable").path("offset");
  }

  private void checkPlace(ListPage<JsonNode> page, int size) {
    expect("size", size, page.size());
    expect("number", page.offset() / size, page.number());
    if (offset().isIntegralNumber()) {
      expect("pageable.offset", page.offset(), offset().asLong());
    }
  }

  private void checkLength(ListPage<JsonNode> page) {
    int length = page.content().size();
    if (length > page.size()) {
      throw unexpected("the page has " + length + " records, more than its size of " + page.size());
    }
    JsonNode reported = document.path("numberOfElements");
    if (reported.isIntegralNumber() && reported.asLong() != length) {
      throw unexpected(
          "numberOfElements is " + reported.asLong() + ", but the page has " + length + " records");
    }
  }

  /**
   * Checks the end without the total. On a page requested by a cursor, the offset counts the
   * records that the walk has passed, not those that are there now, so the total does not show the
   * end.
   */
  private void checkEnd(ListPage<JsonNode> page) {
    if (!page.last() && page.content().size() < page.size()) {
      throw unexpected(
          String.format(
              Locale.ROOT,
              "the page at offset %d has %d records instead of %d, but is not the last",
              page.offset(),
              page.content().size(),
              page.size()));
    }
  }

  private void checkEnd(ListPage<JsonNode> page, long total) {
    int length = page.content().size();
    if (!page.last() && length < page.size() && total - length > page.offset()) {
      throw unexpected(
          String.format(
              Locale.ROOT,
              "the page at offset %d has %d of %d records, but is not the last of a list of %d",
              page.offset(),
              length,
              page.size(),
              total));
    }
    if (page.last() && total - page.size() > page.offset()) {
      throw unexpected(
          String.format(
              Locale.ROOT,
              "the page at offset %d says that it is the last, but the list has %d records",
              page.offset(),
              total));
    }
  }

  /** Checks that the page follows the cursor and, unless it is the last, leads to another one. */
  private void checkProgress(ListPage<JsonNode> page, String cursor) {
    if (!cursor.isEmpty() && page.first()) {
      throw unexpected("the page begins at the start of the list, and not after the cursor");
    }
    if (!page.last() && page.cursor().isEmpty()) {
      throw unexpected("the page is not the last, but has no link with a cursor");
    }
    if (page.cursor().filter(cursor::equals).isPresent()) {
      throw answer.unusable(
          "page_repeated", "the cursor after the page is the cursor of the request");
    }
  }

  private void expect(String member, long expected, long actual) {
    if (expected != actual) {
      throw unexpected(member + " must be " + expected + " for the requested page, was " + actual);
    }
  }

  private long count(String member) {
    return count(member, Long.MAX_VALUE);
  }

  private long count(String member, long maximum) {
    return count(member, document.path(member), maximum);
  }

  private OptionalLong countIfAny(String member, boolean mayBeAbsent) {
    if (document.has(member)) {
      return OptionalLong.of(count(member));
    }
    if (mayBeAbsent) {
      return OptionalLong.empty();
    }
    throw malformed(
        member, "a whole number from 0 unless the service offers a cursor", document.path(member));
  }

  private long count(String member, JsonNode value, long maximum) {
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.asLong() < 0
        || value.asLong() > maximum) {
      throw malformed(member, "a whole number from 0", value);
    }
    return value.asLong();
  }

  private boolean flag(String member) {
    JsonNode value = document.path(member);
    if (!value.isBoolean()) {
      throw malformed(member, "true or false", value);
    }
    return value.asBoolean();
  }

  private CountersignException malformed(String member, String rule, JsonNode value) {
    String was = value.isMissingNode() ? "absent" : Json.excerpt(value);
    return answer.unusable(
        "answer_malformed",
        "the response is not a page: " + member + " must be " + rule + ", was " + was);
  }

  private CountersignException unexpected(String detail) {
    return answer.unusable("page_unexpected", detail);
  }
}
