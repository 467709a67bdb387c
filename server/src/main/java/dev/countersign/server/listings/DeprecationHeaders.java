package dev.countersign.server.listings;

import dev.countersign.signatures.base.HttpDate;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The deprecation and the sunset of a listing's version, sent in the header of every answer of its
 * routes.
 */
final class DeprecationHeaders {
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final @Nullable Instant deprecated;
  private final @Nullable Instant sunset;

  DeprecationHeaders(@Nullable Instant deprecated, @Nullable Instant sunset) {
    this.deprecated = deprecated;
    this.sunset = sunset;
    if (deprecated != null) {
      // RFC 9745 section 2.1: a Date of structured fields.
      headers.put("Deprecation", "@" + deprecated.getEpochSecond());
    }
    if (sunset != null) {
      // RFC 8594 section 3: an HTTP-date.
      headers.put("Sunset", HttpDate.format(sunset));
    }
  }

  @Nullable Instant deprecated() {
    return deprecated;
  }

  @Nullable Instant sunset() {
    return sunset;
  }

  Map<String, String> headers() {
    return headers;
  }
}
