package dev.countersign.server.portal.operators;

import dev.countersign.protocol.PlainText;
import dev.countersign.server.audit.Author;
import dev.countersign.server.operators.OneTimeLink;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.OperatorException;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.operators.sessions.SessionStore;
import dev.countersign.server.portal.NotFoundException;
import dev.countersign.server.portal.PortalProperties;
import dev.countersign.server.portal.PortalUrl;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/**
 * The page of the operators, where an administrator manages their accounts. Each change to an
 * account has a page that names its effect, because one wrong click would give or take access.
 */
@Controller
@RequestMapping("/operators")
final class OperatorPages {
  private final OperatorStore operators;
  private final SessionStore sessions;
  private final PortalProperties properties;
  private final PortalUrl portalUrl;

  OperatorPages(
      OperatorStore operators,
      SessionStore sessions,
      PortalProperties properties,
      PortalUrl portalUrl) {
    this.operators = operators;
    this.sessions = sessions;
    this.properties = properties;
    this.portalUrl = portalUrl;
  }

  @ModelAttribute
  void common(Model model) {
    model.addAttribute("passwords", properties.passwords());
    model.addAttribute("openid", properties.openid() != null);
    model.addAttribute("roles", OperatorRole.values());
  }

  @GetMapping
  ModelAndView list() {
    return page(HttpStatus.OK);
  }

  @PostMapping
  ModelAndView add(
      @RequestParam String name,
      @RequestParam OperatorRole role,
      Author author,
      HttpServletRequest request) {
    return link(() -> operators.by(author).add(name, role), request).addObject("name", name);
  }

  @GetMapping("/{id}/reset")
  ModelAndView askToReset(@PathVariable String id) {
    return question("reset", id);
  }

  @PostMapping("/{id}/reset")
  ModelAndView reset(@PathVariable String id, Author author, HttpServletRequest request) {
    return link(() -> operators.by(author).reset(id), request);
  }

  @GetMapping("/{id}/disable")
  ModelAndView askToDisable(@PathVariable String id) {
    return question("disable", id);
  }

  @PostMapping("/{id}/disable")
  ModelAndView disable(@PathVariable String id, Author author) {
    return change(() -> operators.by(author).disable(id));
  }

  @GetMapping("/{id}/enable")
  ModelAndView askToEnable(@PathVariable String id) {
    return question("enable", id);
  }

  @PostMapping("/{id}/enable")
  ModelAndView enable(@PathVariable String id, Author author) {
    return change(() -> operators.by(author).enable(id));
  }

  @GetMapping("/{id}/role")
  ModelAndView askForRole(@PathVariable String id, @RequestParam OperatorRole role) {
    return question("role", id).addObject("role", role);
  }

  @PostMapping("/{id}/role")
  ModelAndView changeRole(@PathVariable String id, @RequestParam OperatorRole role, Author author) {
    return change(() -> operators.by(author).changeRole(id, role));
  }

  @GetMapping("/{id}/removal")
  ModelAndView askToRemove(@PathVariable String id) {
    return removal(id, HttpStatus.OK);
  }

  /** Requires the administrator to type the operator's name, because a removal is final. */
  @PostMapping("/{id}/removal")
  ModelAndView remove(@PathVariable String id, @RequestParam String typed, Author author) {
    // A browser shows several spaces as one, so administrators type only one.
    if (!PlainText.compactLine(typed).equals(PlainText.compactLine(operator(id).name()))) {
      return removal(id, HttpStatus.UNPROCESSABLE_CONTENT)
          .addObject("problem", "The name does not match. Nothing was removed.");
    }
    return change(() -> operators.by(author).remove(id));
  }

  // The page sends the form to the path under which it was opened.
  private ModelAndView question(String change, String id) {
    return new ModelAndView("operator-change")
        .addObject("change", change)
        .addObject("subject", operator(id))
        .addObject("sessionCount", sessions.of(id).size());
  }

  private ModelAndView removal(String id, HttpStatus status) {
    ModelAndView page = new ModelAndView("operator-removal", status);
    return page.addObject("subject", operator(id));
  }

  private Operator operator(String id) {
    return operators
        .find(id)
        .orElseThrow(() -> new NotFoundException("There is no such operator."));
  }

  private ModelAndView change(Runnable change) {
    try {
      change.run();
      return new ModelAndView("redirect:/portal/operators");
    } catch (OperatorException refused) {
      return refused(refused);
    }
  }

  /** Shows the new link once. No other page shows it. */
  private ModelAndView link(Supplier<OneTimeLink> make, HttpServletRequest request) {
    try {
      OneTimeLink link = make.get();
      return page(HttpStatus.OK)
          .addObject("link", link.at(portalUrl.of(request)))
          .addObject("linked", link.operator());
    } catch (OperatorException refused) {
      return refused(refused);
    }
  }

  private ModelAndView refused(OperatorException refused) {
    return page(HttpStatus.UNPROCESSABLE_CONTENT).addObject("problem", refused.getMessage());
  }

  private ModelAndView page(HttpStatus status) {
    return new ModelAndView("operators", status).addObject("operators", operators.list());
  }
}
