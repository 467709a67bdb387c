package dev.countersign.server.portal.requests;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.requests.RequestFilter.Outcome;
import dev.countersign.server.requests.RequestProperties;
import dev.countersign.server.requests.RequestRecordStore;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/** The table of requests, its filter, and the rows that open pages poll. */
@Controller
final class RequestPages {
  /** The header field that tells the page's script how many requests were skipped. */
  private static final String SKIPPED = "Countersign-Skipped";

  private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);

  private final RequestRecordStore records;
  private final RequestTable table;
  private final LiveRows liveRows;
  private final RequestProperties properties;

  RequestPages(
      RequestRecordStore records,
      RequestTable table,
      LiveRows liveRows,
      RequestProperties properties) {
    this.records = records;
    this.table = table;
    this.liveRows = liveRows;
    this.properties = properties;
  }

  @ModelAttribute
  void choices(Model model) {
    model.addAttribute("outcomes", Outcome.values());
    model.addAttribute("reasons", Reason.values());
    model.addAttribute("trustLevels", TrustLevel.values());
  }

  /**
   * Returns the whole page, or only the table if a script of the page requests a new table.
   *
   * @param before the id of a request; the page shows older requests
   * @param after the id of a request; the page shows newer requests
   */
  @GetMapping("/requests")
  String requests(
      @ModelAttribute("form") FilterForm form,
      @RequestParam(required = false) @Nullable Long before,
      @RequestParam(required = false) @Nullable Long after,
      @RequestParam(required = false) @Nullable String live,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    ParsedFilter filter = ParsedFilter.of(form);
    TablePart part = filter.isValid() ? part(filter, before, after) : TablePart.EMPTY;
    model.addAttribute("part", part);
    model.addAttribute("rows", part.rows());
    model.addAttribute("problems", filter.problems());
    model.addAttribute("counted", new RecordCounts(records.counters()));
    model.addAttribute("log", properties.log());
    boolean isLive = live != null && filter.isValid() && part.newer() == null;
    model.addAttribute("live", isLive ? liveAddress(form, part) : null);
    if (!"results".equals(request.getHeader("HX-Target"))) {
      return "requests/list";
    }
    response.setHeader(
        "HX-Push-Url", form.address(FilterForm.REQUESTS, isLive ? Map.of("live", "on") : Map.of()));
    return "requests/results :: results";
  }

  private TablePart part(ParsedFilter filter, @Nullable Long before, @Nullable Long after) {
    return after == null
        ? table.olderThan(before, filter.filter())
        : table.newerThan(after, filter.filter());
  }

  private static String liveAddress(FilterForm form, TablePart part) {
    long since = part.older() == null ? 0 : part.older();
    return form.address(FilterForm.REQUESTS + "/live", Map.of("since", since));
  }

  /**
   * Returns the rows of the latest requests to an open page, or 204 if there are none.
   *
   * @param since the page shows no requests with smaller ids
   * @param after the largest id on the page
   * @param away how many seconds ago the rows of the page were read
   */
  @GetMapping("/requests/live")
  ResponseEntity<String> live(
      @ModelAttribute("form") FilterForm form,
      @RequestParam(defaultValue = "0") long since,
      @RequestParam(defaultValue = "0") long after,
      @RequestParam(defaultValue = "0") int away,
      HttpServletRequest request,
      HttpServletResponse response) {
    ParsedFilter filter = ParsedFilter.of(form);
    if (!filter.isValid() || away < 0) {
      throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
    }
    LiveRows.Poll poll = new LiveRows.Poll(filter.filter(), since, after, Duration.ofSeconds(away));
    LiveRows.Answer rows = liveRows.of(poll, request, response);
    if (rows.html().isEmpty()) {
      return ResponseEntity.noContent().build();
    }
    ResponseEntity.BodyBuilder answer = ResponseEntity.ok().contentType(HTML);
    if (rows.skipped() > 0) {
      boolean isExact = rows.skipped() < RequestRecordStore.MAX_COUNTED;
      answer.header(SKIPPED, rows.skipped() + (isExact ? "" : "+"));
    }
    return answer.body(rows.html());
  }
}
