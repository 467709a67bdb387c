package dev.countersign.server.portal.requests;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.countersign.server.requests.RequestFilter;
import dev.countersign.server.requests.RequestRecord;
import dev.countersign.server.requests.RequestRecordStore;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.thymeleaf.context.WebContext;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.web.IWebExchange;
import org.thymeleaf.web.servlet.JakartaServletWebApplication;

/**
 * The rows of the latest requests, for open pages that poll.
 *
 * <p>Nodes commit their records in any order, so no id separates the requests that a page has from
 * those that it lacks. Each poll gets the requests since 30 seconds before the last read, and the
 * page drops those that it already has.
 *
 * <p>Design note: each row is rendered once for all pages and polls. Otherwise, every open page
 * would render the same rows every two seconds, which costs far more than reading them.
 */
@Component
final class LiveRows {
  /** The maximum number of rows that a poll gets and that the page keeps. */
  static final int MAX_ROWS = 200;

  private static final Duration OVERLAP = Duration.ofSeconds(30);
  private static final Duration MAX_AWAY = Duration.ofDays(1);
  private static final int MAX_RENDERED = 10 * MAX_ROWS;

  private final RequestRecordStore records;
  private final RequestTable table;
  private final SpringTemplateEngine engine;
  private final Clock clock;
  // The HTML of each row, by the id of its record. Kept for 30 s, so that a renamed client soon
  // appears with its new name.
  private final Cache<Long, String> rendered =
      Caffeine.newBuilder().expireAfterWrite(OVERLAP).maximumSize(MAX_RENDERED).build();

  LiveRows(
      RequestRecordStore records, RequestTable table, SpringTemplateEngine engine, Clock clock) {
    this.records = records;
    this.table = table;
    this.engine = engine;
    this.clock = clock;
  }

  /**
   * A poll of an open page.
   *
   * @param oldest the page shows no requests with smaller ids
   * @param newest the largest id on the page; 0 if the page has no rows
   * @param away how long ago the rows of the page were read; at most a day counts
   */
  record Poll(RequestFilter filter, long oldest, long newest, Duration away) {}

  /**
   * The rows for one page.
   *
   * @param html the rows as HTML, newest first; empty if there are none
   * @param skipped the number of requests that are newer than the page and do not fit into the
   *     answer; at most {@link RequestRecordStore#MAX_COUNTED}
   */
  record Answer(String html, long skipped) {}

  /** Returns the rows for a page. */
  Answer of(Poll poll, HttpServletRequest request, HttpServletResponse response) {
    RequestFilter latest = latest(poll);
    List<RequestRecord> found = records.search(latest, null, MAX_ROWS).requests();
    List<RequestRecord> shown =
        found.stream().takeWhile(record -> record.id() >= poll.oldest).toList();
    return new Answer(html(shown, request, response), skipped(latest, poll.newest, found));
  }

  private long skipped(RequestFilter latest, long newest, List<RequestRecord> found) {
    if (found.size() < MAX_ROWS || found.getLast().id() <= newest) {
      return 0;
    }
    return records.count(latest, newest, found.getLast().id());
  }

  private RequestFilter latest(Poll poll) {
    Duration away = poll.away.compareTo(MAX_AWAY) < 0 ? poll.away : MAX_AWAY;
    Instant start = clock.instant().minus(OVERLAP).minus(away);
    @Nullable Instant from = poll.filter.from();
    return poll.filter.between(
        from == null || from.isBefore(start) ? start : from, poll.filter.to());
  }

  private String html(
      List<RequestRecord> shown, HttpServletRequest request, HttpServletResponse response) {
    Map<Long, String> rows = new HashMap<>(rendered.getAllPresent(ids(shown)));
    List<RequestRecord> missing =
        shown.stream().filter(row -> !rows.containsKey(row.id())).toList();
    if (!missing.isEmpty()) {
      IWebExchange exchange = exchange(request, response);
      for (RequestRow row : table.rows(missing)) {
        String html = html(row, exchange);
        rendered.put(row.id(), html);
        rows.put(row.id(), html);
      }
    }
    return ids(shown).stream().map(rows::get).collect(Collectors.joining());
  }

  private static List<Long> ids(List<RequestRecord> requests) {
    return requests.stream().map(RequestRecord::id).toList();
  }

  /** Renders a row with the template of the table. */
  private String html(RequestRow row, IWebExchange exchange) {
    return engine.process(
        "requests/rows",
        Set.of("rows"),
        new WebContext(exchange, Locale.ENGLISH, Map.of("rows", List.of(row))));
  }

  private static IWebExchange exchange(HttpServletRequest request, HttpServletResponse response) {
    return JakartaServletWebApplication.buildApplication(request.getServletContext())
        .buildExchange(request, response);
  }
}
