package dev.countersign.server.portal.requests;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.requests.RequestFilter.Outcome;
import dev.countersign.server.requests.RequestPosition;
import dev.countersign.server.requests.RequestProperties;
import dev.countersign.server.requests.RequestRecordStore;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;

/** The table of requests and its filter. */
@Controller
final class RequestPages {
  private final RequestRecordStore records;
  private final RequestTable table;
  private final RequestProperties properties;

  RequestPages(RequestRecordStore records, RequestTable table, RequestProperties properties) {
    this.records = records;
    this.table = table;
    this.properties = properties;
  }

  @ModelAttribute
  void choices(Model model) {
    model.addAttribute("outcomes", Outcome.values());
    model.addAttribute("reasons", Reason.values());
    model.addAttribute("standings", TrustLevel.values());
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
    // Reads the position before the search. A request that is recorded during the search may then
    // be sent twice, but it is never left out.
    RequestPosition latest = records.position();
    ReadFilter filter = ReadFilter.of(form);
    TablePart part = filter.isClear() ? part(filter, before, after) : TablePart.EMPTY;
    model.addAttribute("part", part);
    model.addAttribute("rows", part.rows());
    model.addAttribute("problems", filter.problems());
    model.addAttribute("counted", new RecordCounts(records.counters()));
    model.addAttribute("log", properties.log());
    boolean isLive = live != null && filter.isClear() && part.newer() == null;
    model.addAttribute("live", isLive ? liveAddress(form, latest) : null);
    if (!"results".equals(request.getHeader("HX-Target"))) {
      return "requests/list";
    }
    response.setHeader(
        "HX-Push-Url", form.address(FilterForm.REQUESTS, isLive ? Map.of("live", "on") : Map.of()));
    return "requests/results :: results";
  }

  private TablePart part(ReadFilter filter, @Nullable Long before, @Nullable Long after) {
    return after == null
        ? table.olderThan(before, filter.filter())
        : table.newerThan(after, filter.filter());
  }

  private static String liveAddress(FilterForm form, RequestPosition latest) {
    return form.address(FilterForm.REQUESTS + "/live", Map.of("after", latest));
  }
}
