package dev.countersign.server.listings;

import dev.countersign.pagination.PageEnvelope;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON answer, written to memory before its first byte is sent. Its length is then known, and a
 * failure during the writing still becomes an error response.
 */
final class JsonAnswer {
  static final JsonFactory JSON = new JsonFactory();
  private static final int INITIAL_BUFFER_BYTES = 4096;

  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(INITIAL_BUFFER_BYTES);
  private @Nullable JsonGenerator json;

  /** Begins a document, and discards everything that an earlier attempt has written. */
  JsonGenerator begin() {
    buffer.reset();
    JsonGenerator begun = JSON.createGenerator(ObjectWriteContext.empty(), buffer);
    json = begun;
    return begun;
  }

  /** Begins a page, and returns the generator for the elements of its array. */
  JsonGenerator beginPage() {
    JsonGenerator begun = begin();
    begun.writeStartObject();
    begun.writeName("content").writeStartArray();
    return begun;
  }

  /** Ends a page with the members of its envelope, in the order that the interface defines. */
  ByteArrayOutputStream endPage(PageEnvelope envelope) {
    JsonGenerator page = generator();
    page.writeEndArray();
    write(envelope, page);
    page.writeEndObject();
    return end();
  }

  /** Ends the document. */
  ByteArrayOutputStream end() {
    generator().close();
    return buffer;
  }

  private JsonGenerator generator() {
    return Objects.requireNonNull(json, "a document was begun");
  }

  /** Returns a JSON document as text. */
  static String text(Consumer<JsonGenerator> content) {
    JsonAnswer answer = new JsonAnswer();
    content.accept(answer.begin());
    return answer.end().toString(StandardCharsets.UTF_8);
  }

  private static void write(PageEnvelope envelope, JsonGenerator json) {
    pageable(envelope.pageable(), json);
    json.writeBooleanProperty("last", envelope.last());
    json.writeBooleanProperty("first", envelope.first());
    envelope.totalPages().ifPresent(total -> json.writeNumberProperty("totalPages", total));
    envelope.totalElements().ifPresent(total -> json.writeNumberProperty("totalElements", total));
    json.writeNumberProperty("size", envelope.size());
    json.writeNumberProperty("number", envelope.number());
    sort(envelope.sort(), json);
    json.writeNumberProperty("numberOfElements", envelope.numberOfElements());
    json.writeBooleanProperty("empty", envelope.empty());
  }

  private static void pageable(PageEnvelope.@Nullable Pageable pageable, JsonGenerator json) {
    if (pageable == null) {
      return;
    }
    json.writeName("pageable").writeStartObject();
    json.writeNumberProperty("pageNumber", pageable.pageNumber());
    json.writeNumberProperty("pageSize", pageable.pageSize());
    sort(pageable.sort(), json);
    json.writeNumberProperty("offset", pageable.offset());
    json.writeBooleanProperty("paged", pageable.paged());
    json.writeBooleanProperty("unpaged", pageable.unpaged());
    json.writeEndObject();
  }

  private static void sort(PageEnvelope.SortState sort, JsonGenerator json) {
    json.writeName("sort").writeStartObject();
    json.writeBooleanProperty("empty", sort.empty());
    json.writeBooleanProperty("sorted", sort.sorted());
    json.writeBooleanProperty("unsorted", sort.unsorted());
    json.writeEndObject();
  }
}
