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
 * those that it lacks. Each poll gets all requests of the last 30 seconds, and the page drops those
 * that it has.
 *
 * <p>Design note: each row is rendered once for all pages and polls. Otherwise, every open page
 * would render the same rows every two seconds, which costs far more than reading them.
 */
@Component
final class LiveRows {
  /** The maximum number of rows that a poll gets and that the page keeps. */
  static final int MOST = 200;

  private static final Duration REACH = Duration.ofSeconds(30);
  private static final int MOST_RENDERED = 10 * MOST;

  private final RequestRecordStore records;
  private final RequestTable table;
  private final SpringTemplateEngine engine;
  private final Clock clock;
  // By the id of the request. A client that is renamed has its new name in the next rows.
  private final Cache<Long, String> rendered =
      Caffeine.newBuilder().expireAfterWrite(REACH).maximumSize(MOST_RENDERED).build();

  LiveRows(
      RequestRecordStore records, RequestTable table, SpringTemplateEngine engine, Clock clock) {
    this.records = records;
    this.table = table;
    this.engine = engine;
    this.clock = clock;
  }

  /**
   * The rows for one page.
   *
   * @param html the rows as HTML, newest first; empty if there are none
   * @param skipped the number of requests that the page gets neither now nor later, because more
   *     than {@link #MOST} followed them
   */
  record Answer(String html, long skipped) {}

  /**
   * Returns the rows for a page.
   *
   * @param since the page shows no requests with smaller ids
   * @param after the largest id on the page; 0 if the page has no rows
   */
  Answer of(
      RequestFilter filter,
      long since,
      long after,
      HttpServletRequest request,
      HttpServletResponse response) {
    RequestFilter latest = latest(filter);
    List<RequestRecord> found = records.search(latest, null, MOST).requests();
    List<RequestRecord> shown = found.stream().takeWhile(row -> row.id() >= since).toList();
    return new Answer(html(shown, request, response), skipped(latest, after, found));
  }

  private long skipped(RequestFilter latest, long after, List<RequestRecord> found) {
    if (found.size() < MOST || found.getLast().id() <= after) {
      return 0;
    }
    return records.count(latest, after, found.getLast().id());
  }

  private RequestFilter latest(RequestFilter filter) {
    Instant start = clock.instant().minus(REACH);
    @Nullable Instant from = filter.from();
    return filter.between(from == null || from.isBefore(start) ? start : from, filter.to());
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
