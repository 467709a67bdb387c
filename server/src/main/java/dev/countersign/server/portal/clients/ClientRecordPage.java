package dev.countersign.server.portal.clients;

import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.ClientRules;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.portal.NotFoundException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The page of a client, and the update of its record. */
@Controller
@RequestMapping("/integrations/api-keys/client")
final class ClientRecordPage {
  private final ClientPages pages;
  private final ClientStore clients;
  private final ClientRules rules;
  private final ClientReach reach;

  ClientRecordPage(ClientPages pages, ClientStore clients, ClientRules rules, ClientReach reach) {
    this.pages = pages;
    this.clients = clients;
    this.rules = rules;
    this.reach = reach;
  }

  @GetMapping
  ModelAndView show(
      @RequestParam(defaultValue = "") String id,
      @RequestParam(defaultValue = "") String done,
      HttpServletRequest request) {
    return pages.page(pages.find(id), request).addObject("done", done);
  }

  @PostMapping("/update")
  ModelAndView update(
      @RequestParam MultiValueMap<String, String> sent,
      @RequestParam(defaultValue = "") String id,
      Author author,
      HttpServletRequest request) {
    Map<String, String> readProblems = new LinkedHashMap<>();
    RecordForm form = RecordForm.read(sent, reach.attributes(), readProblems);
    Map<String, String> problems = form.problems(rules, readProblems);
    if (!problems.isEmpty()) {
      return refused(pages.find(id), form, problems, sent, request);
    }
    Client client = pages.find(id);
    try {
      ClientUpdate update = form.update(client, revision(sent.getFirst("revision")));
      return ClientPages.goTo(clients.by(author).update(id, update), "updated");
    } catch (ClientException refused) {
      return switch (refused.reason()) {
        case CHANGED -> conflict(pages.find(id), form);
        case NOT_FOUND -> throw new NotFoundException(String.valueOf(refused.getMessage()));
        default -> throw refused;
      };
    }
  }

  // An invalid revision counts as outdated.
  private static long revision(@Nullable String sent) {
    return sent != null && sent.matches("\\d{1,18}") ? Long.parseLong(sent) : -1;
  }

  private ModelAndView refused(
      Client client,
      RecordForm form,
      Map<String, String> problems,
      MultiValueMap<String, String> sent,
      HttpServletRequest request) {
    // Keeps the revision that the operator looked at, so that the next attempt does not overwrite
    // another operator's change.
    return pages
        .page(
            HttpStatus.UNPROCESSABLE_CONTENT,
            client,
            form,
            PublicKeyForm.empty(),
            problems,
            request)
        .addObject("revision", revision(sent.getFirst("revision")));
  }

  /**
   * Shows two versions side by side: the stored one (theirs) and the one that was not saved
   * (yours).
   */
  private ModelAndView conflict(Client current, RecordForm yours) {
    return pages
        .about("api-keys/conflict", HttpStatus.CONFLICT, current)
        .addObject("theirs", pages.stored(current))
        .addObject("yours", yours)
        .addObject("theirRoles", RoleChoice.held(reach.roles(), current.roles()))
        .addObject("yourRoles", RoleChoice.held(reach.roles(), yours.roles()));
  }
}
