package dev.countersign.server.listings;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** That a listing's version is going away, said in the header of every answer. */
final class Lifecycle {
  // RFC 9110 section 5.6.7: IMF-fixdate, the day always in two digits.
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final Map<String, String> headers = new LinkedHashMap<>();

  Lifecycle(@Nullable Instant deprecated, @Nullable Instant sunset) {
    if (deprecated != null) {
      // RFC 9745 section 2.1: a date of structured fields.
      headers.put("Deprecation", "@" + deprecated.getEpochSecond());
    }
    if (sunset != null) {
      // RFC 8594 section 3: an HTTP-date.
      headers.put("Sunset", HTTP_DATE.format(sunset));
    }
  }

  Map<String, String> headers() {
    return headers;
  }
}
