package dev.countersign.server.listings;

import dev.countersign.pagination.PageEnvelope;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes the members of a page envelope, in the order that the interface defines. */
final class EnvelopeWriter {
  private EnvelopeWriter() {}

  static void write(PageEnvelope envelope, JsonGenerator json) {
    pageable(envelope.pageable(), json);
    json.writeBooleanProperty("last", envelope.last());
    json.writeBooleanProperty("first", envelope.first());
    json.writeNumberProperty("totalPages", envelope.totalPages());
    json.writeNumberProperty("totalElements", envelope.totalElements());
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
