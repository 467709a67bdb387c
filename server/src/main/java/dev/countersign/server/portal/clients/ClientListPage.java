package dev.countersign.server.portal.clients;

import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.clients.ClientSearch;
import dev.countersign.server.clients.ClientSearchResult;
import dev.countersign.server.portal.Moments;
import java.time.Clock;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The list of clients, with a search. */
@Controller
final class ClientListPage {
  private final ClientSearch search;
  private final ClientReach reach;
  private final Clock clock;

  ClientListPage(ClientSearch search, ClientReach reach, Clock clock) {
    this.search = search;
    this.reach = reach;
    this.clock = clock;
  }

  @GetMapping("/integrations/api-keys")
  String list(@RequestParam Map<String, String> parameters, Model model) {
    ListView view = ListView.of(parameters);
    ClientSearchResult page = search.find(view.query());
    Moments moments = new Moments(clock.instant());
    model.addAttribute("view", view);
    model.addAttribute("page", page);
    model.addAttribute("moments", moments);
    model.addAttribute("hasAttributes", !reach.attributes().all().isEmpty());
    model.addAttribute(
        "clients",
        page.found().stream()
            .map(found -> new ShownClient(found.client(), found.lastUsedAt(), moments, reach))
            .toList());
    model.addAttribute("isRemoved", parameters.containsKey("removed"));
    return "api-keys/list";
  }
}
