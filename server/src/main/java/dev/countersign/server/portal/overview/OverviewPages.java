package dev.countersign.server.portal.overview;

import dev.countersign.server.clients.ClientAttention;
import dev.countersign.server.clients.ClientNames;
import dev.countersign.server.requests.statistics.Overview;
import dev.countersign.server.requests.statistics.OverviewReader;
import dev.countersign.server.requests.statistics.Period;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/** The overview page, and the numbers that it reloads while it is open. */
@Controller
final class OverviewPages {
  private final OverviewReader overviewReader;
  private final ClientAttention attention;
  private final ClientNames names;

  OverviewPages(OverviewReader overviewReader, ClientAttention attention, ClientNames names) {
    this.overviewReader = overviewReader;
    this.attention = attention;
    this.names = names;
  }

  @GetMapping({"", "/"})
  String page(@RequestParam(defaultValue = "HOUR") Period period, Model model) {
    Overview overview = overviewReader.of(period);
    model.addAttribute("overview", overview);
    model.addAttribute("periods", Period.values());
    model.addAttribute("figures", ChartData.of(overview));
    model.addAttribute("busiest", busiest(overview));
    model.addAttribute("oldKeys", attention.oldKeys());
    model.addAttribute("unused", attention.unused());
    model.addAttribute("openToEveryone", attention.openToEveryone());
    model.addAttribute("rotations", attention.rotations());
    return "overview";
  }

  private List<BusyClient> busiest(Overview overview) {
    Map<String, String> known =
        names.of(overview.busiest().stream().map(Overview.ClientCount::clientId).toList());
    return overview.busiest().stream()
        .map(
            count ->
                new BusyClient(
                    count.clientId(),
                    known.getOrDefault(count.clientId(), ""),
                    count.requests(),
                    count.refused()))
        .toList();
  }

  /** A client and its requests; the name is empty if the client was removed. */
  record BusyClient(String clientId, String name, long requests, long refused) {}

  /** Returns the current numbers of the charts. */
  @GetMapping("/overview")
  @ResponseBody
  ChartData figures(@RequestParam(defaultValue = "HOUR") Period period) {
    return ChartData.of(overviewReader.of(period));
  }
}
