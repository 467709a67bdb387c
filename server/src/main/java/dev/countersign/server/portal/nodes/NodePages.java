package dev.countersign.server.portal.nodes;

import dev.countersign.server.nodes.NodeStore;
import dev.countersign.server.store.Database;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The page of the running nodes. */
@Controller
final class NodePages {
  private final NodeStore nodes;
  private final Database database;

  NodePages(NodeStore nodes, Database database) {
    this.nodes = nodes;
    this.database = database;
  }

  @GetMapping("/nodes")
  String nodes(Model model) {
    model.addAttribute("nodes", nodes.list());
    database.refusal().ifPresent(why -> model.addAttribute("refusal", why));
    return "nodes";
  }
}
