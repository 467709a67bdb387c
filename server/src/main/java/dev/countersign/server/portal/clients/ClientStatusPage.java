package dev.countersign.server.portal.clients;

import dev.countersign.protocol.PlainText;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.portal.NotFoundException;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** Disables, enables and removes clients. Each change has a page that names its effect first. */
@Controller
@RequestMapping("/integrations/api-keys/client")
final class ClientStatusPage {
  private final ClientPages pages;
  private final ClientStore clients;

  ClientStatusPage(ClientPages pages, ClientStore clients) {
    this.pages = pages;
    this.clients = clients;
  }

  @GetMapping("/disable")
  ModelAndView askToDisable(
      @RequestParam(defaultValue = "") String id, @AuthenticationPrincipal Operator operator) {
    ClientPages.requireAdministrator(operator);
    return pages.about("api-keys/disable", HttpStatus.OK, pages.find(id));
  }

  @PostMapping("/disable")
  ModelAndView disable(@RequestParam(defaultValue = "") String id, Author author) {
    return ClientPages.goTo(apply(() -> clients.by(author).disable(id)), "disabled");
  }

  @GetMapping("/enable")
  ModelAndView askToEnable(
      @RequestParam(defaultValue = "") String id, @AuthenticationPrincipal Operator operator) {
    ClientPages.requireAdministrator(operator);
    return pages.about("api-keys/enable", HttpStatus.OK, pages.find(id));
  }

  @PostMapping("/enable")
  ModelAndView enable(@RequestParam(defaultValue = "") String id, Author author) {
    return ClientPages.goTo(apply(() -> clients.by(author).enable(id)), "enabled");
  }

  @GetMapping("/removal")
  ModelAndView askToRemove(
      @RequestParam(defaultValue = "") String id, @AuthenticationPrincipal Operator operator) {
    ClientPages.requireAdministrator(operator);
    return pages.about("api-keys/removal", HttpStatus.OK, pages.find(id));
  }

  /** Requires the operator to type the client's name, because a removal is final. */
  @PostMapping("/removal")
  ModelAndView remove(
      @RequestParam(defaultValue = "") String id,
      @RequestParam(defaultValue = "") String typed,
      Author author) {
    Client client = pages.find(id);
    // A browser shows several spaces as one, so operators type only one.
    if (!PlainText.compactLine(typed).equals(PlainText.compactLine(client.name()))) {
      return pages
          .about("api-keys/removal", HttpStatus.UNPROCESSABLE_CONTENT, client)
          .addObject("problem", "The name does not match. Nothing was removed.");
    }
    apply(() -> clients.by(author).remove(id));
    return new ModelAndView("redirect:/portal/integrations/api-keys?removed");
  }

  private static Client apply(Supplier<Client> change) {
    try {
      return change.get();
    } catch (ClientException refused) {
      if (refused.reason() == ClientException.Reason.NOT_FOUND) {
        throw new NotFoundException(String.valueOf(refused.getMessage()));
      }
      throw refused;
    }
  }
}
