package dev.countersign.server.portal.nodes;

import dev.countersign.server.nodes.NodeStore;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The page of the running nodes. */
@Controller
final class NodePages {
  private final NodeStore nodes;

  NodePages(NodeStore nodes) {
    this.nodes = nodes;
  }

  @GetMapping("/nodes")
  String nodes(Model model) {
    model.addAttribute("nodes", nodes.list());
    return "nodes";
  }
}
