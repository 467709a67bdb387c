package dev.countersign.server.portal.requests;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.requests.RequestFilter;
import dev.countersign.server.requests.RequestFilter.Outcome;
import dev.countersign.server.store.Timestamps;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The filter that results from parsing the form.
 *
 * @param filter the filter of the fields that were parsed. It must not be used if there are
 *     problems, because without the other fields it finds requests that nobody asked for
 * @param problems a sentence for each field that cannot be parsed
 */
record ParsedFilter(RequestFilter filter, List<String> problems) {

  static ParsedFilter of(FilterForm form) {
    FieldReader reader = new FieldReader(form.filled(), new ArrayList<>());
    RequestFilter filter =
        RequestFilter.ALL
            .withClientId(reader.field("client", text -> text, "a clientId"))
            .withOutcome(
                reader.field(
                    "outcome", text -> Outcome.valueOf(upper(text)), "accepted or refused"))
            .withStatus(reader.field("status", ParsedFilter::status, "a status from 100 to 599"))
            .withReason(
                reader.field("reason", text -> Reason.ofWord(text).orElseThrow(), "a known reason"))
            .withPathPrefix(reader.field("path", text -> text, "the beginning of a path"))
            .withTrust(
                reader.field(
                    "standing",
                    text -> TrustLevel.valueOf(upper(text)),
                    "verified, claimed or anonymous"))
            .between(reader.time("from"), reader.time("to"));
    return new ParsedFilter(filter, List.copyOf(reader.problems));
  }

  /** Returns whether every field was parsed. */
  boolean isValid() {
    return problems.isEmpty();
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  private static int status(String text) {
    // Integer.parseInt also reads signs and the digits of other scripts.
    if (!text.matches("[1-5][0-9]{2}")) {
      throw new IllegalArgumentException(text);
    }
    return Integer.parseInt(text);
  }

  /** Parses the fields of the form, and collects a problem for each field that it cannot parse. */
  private record FieldReader(Map<String, String> fields, List<String> problems) {
    private static final int MAX_SHOWN = 60;

    <T> @Nullable T field(String name, Function<String, T> parser, String rule) {
      String text = fields.get(name);
      if (text == null) {
        return null;
      }
      try {
        return parser.apply(text);
      } catch (IllegalArgumentException | NoSuchElementException | DateTimeException e) {
        String shown = text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
        problems.add(name + " must be " + rule + ", was " + VisibleText.of(shown));
        return null;
      }
    }

    /** Parses a time in UTC, with a Z at its end or, from a browser's date field, without one. */
    @Nullable Instant time(String name) {
      return field(
          name,
          text ->
              Optional.of(
                      text.endsWith("Z")
                          ? Instant.parse(text)
                          : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC))
                  .filter(Timestamps::isInRange)
                  .orElseThrow(),
          "a time in UTC such as 2026-03-05T07:08");
    }
  }
}
