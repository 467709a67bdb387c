package dev.countersign.client;

import java.util.Locale;
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
   * @throws CountersignException with {@code answer_malformed} when the document is not a page, or
   *     with {@code page_unexpected} when it is not the requested page
   */
  static ListPage<JsonNode> read(JsonNode document, FinalResponse answer, long offset, int size) {
    Envelope envelope = new Envelope(document, answer);
    ListPage<JsonNode> page = envelope.page(offset);
    envelope.checkPlace(page, size);
    envelope.checkContent(page);
    return page;
  }

  private ListPage<JsonNode> page(long offset) {
    JsonNode content = document.path("content");
    if (!content.isArray()) {
      throw malformed("content", "an array", content);
    }
    return new ListPage<>(
        content.valueStream().toList(),
        offset,
        (int) count("number", Integer.MAX_VALUE),
        (int) count("size", Integer.MAX_VALUE),
        count("totalElements", Long.MAX_VALUE),
        (int) Math.min(count("totalPages", Long.MAX_VALUE), Integer.MAX_VALUE),
        flag("first"),
        flag("last"));
  }

  private void checkPlace(ListPage<JsonNode> page, int size) {
    expect("size", size, page.size());
    expect("number", page.offset() / size, page.number());
    JsonNode offset = document.path("pageable").path("offset");
    if (offset.isIntegralNumber()) {
      expect("pageable.offset", page.offset(), offset.asLong());
    }
  }

  private void checkContent(ListPage<JsonNode> page) {
    int length = page.content().size();
    if (length > page.size()) {
      throw unexpected("the page has " + length + " records, more than its size of " + page.size());
    }
    JsonNode said = document.path("numberOfElements");
    if (said.isIntegralNumber() && said.asLong() != length) {
      throw unexpected(
          "numberOfElements is " + said.asLong() + ", but the page has " + length + " records");
    }
    if (!page.last() && length < page.size() && page.totalElements() - length > page.offset()) {
      throw unexpected(
          String.format(
              Locale.ROOT,
              "the page at offset %d has %d of %d records, but is not the last of a list of %d",
              page.offset(),
              length,
              page.size(),
              page.totalElements()));
    }
    if (page.last() && page.totalElements() - page.size() > page.offset()) {
      throw unexpected(
          String.format(
              Locale.ROOT,
              "the page at offset %d says that it is the last, but the list has %d records",
              page.offset(),
              page.totalElements()));
    }
  }

  private void expect(String member, long asked, long said) {
    if (asked != said) {
      throw unexpected(member + " must be " + asked + " for the requested page, was " + said);
    }
  }

  private long count(String member, long most) {
    JsonNode value = document.path(member);
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.asLong() < 0
        || value.asLong() > most) {
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
