package dev.countersign.server.listings;

import dev.countersign.signatures.base.HttpDate;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The headers that say since when a listing's version is deprecated, and when it will be removed.
 * Every answer of the listing's routes has these headers.
 */
final class DeprecationHeaders {
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final @Nullable Instant deprecated;
  private final @Nullable Instant sunset;

  DeprecationHeaders(@Nullable Instant deprecated, @Nullable Instant sunset) {
    this.deprecated = deprecated;
    this.sunset = sunset;
    if (deprecated != null) {
      // RFC 9745 section 2.1: the value is a structured-field Date.
      headers.put("Deprecation", "@" + deprecated.getEpochSecond());
    }
    if (sunset != null) {
      // RFC 8594 section 3: the value is an HTTP-date.
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
