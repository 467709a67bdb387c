package dev.countersign.server.portal.requests;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.requests.RequestFilter;
import dev.countersign.server.requests.RequestFilter.Outcome;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A filter read from the form.
 *
 * @param problems a sentence for each field that cannot be read. If there is a problem, nothing is
 *     searched, because a search without the field would find requests that nobody asked for
 */
record ReadFilter(RequestFilter filter, List<String> problems) {

  static ReadFilter of(FilterForm form) {
    Reading reading = new Reading(form.filled(), new ArrayList<>());
    RequestFilter filter =
        RequestFilter.ALL
            .withClientId(reading.field("client", text -> text, "a clientId"))
            .withOutcome(
                reading.field(
                    "outcome", text -> Outcome.valueOf(upper(text)), "accepted or refused"))
            .withStatus(reading.field("status", ReadFilter::status, "a status from 100 to 599"))
            .withReason(
                reading.field(
                    "reason", text -> Reason.ofWord(text).orElseThrow(), "a known reason"))
            .withPathPrefix(reading.field("path", text -> text, "the beginning of a path"))
            .withTrust(
                reading.field(
                    "standing",
                    text -> TrustLevel.valueOf(upper(text)),
                    "verified, claimed or anonymous"))
            .between(reading.time("from"), reading.time("to"));
    return new ReadFilter(filter, List.copyOf(reading.problems));
  }

  boolean isClear() {
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

  private record Reading(Map<String, String> fields, List<String> problems) {
    private static final int SHOWN = 60;

    <T> @Nullable T field(String name, Function<String, T> read, String rule) {
      String text = fields.get(name);
      if (text == null) {
        return null;
      }
      try {
        return read.apply(text);
      } catch (IllegalArgumentException | NoSuchElementException | DateTimeException e) {
        String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
        problems.add(name + " must be " + rule + ", was " + VisibleText.of(shown));
        return null;
      }
    }

    /**
     * Reads a time in UTC. A browser's date field sends it without a zone; otherwise it ends in Z.
     */
    @Nullable Instant time(String name) {
      return field(
          name,
          text ->
              text.endsWith("Z")
                  ? Instant.parse(text)
                  : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC),
          "a time in UTC such as 2026-03-05T07:08");
    }
  }
}
