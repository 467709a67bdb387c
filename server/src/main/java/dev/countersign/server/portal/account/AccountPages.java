package dev.countersign.server.portal.account;

import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.sessions.SessionStore;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Lists the operator's sessions, and lets the operator end all of them. */
@Controller
@RequestMapping("/account")
final class AccountPages {
  private final SessionStore sessions;

  AccountPages(SessionStore sessions) {
    this.sessions = sessions;
  }

  @GetMapping
  String account(@AuthenticationPrincipal Operator operator, Model model) {
    model.addAttribute("sessions", sessions.of(operator.id()));
    return "account";
  }

  @GetMapping("/sign-out-everywhere")
  String askToSignOutEverywhere(@AuthenticationPrincipal Operator operator, Model model) {
    model.addAttribute("sessionCount", sessions.of(operator.id()).size());
    return "account-sign-out";
  }

  @PostMapping("/sign-out-everywhere")
  String signOutEverywhere(@AuthenticationPrincipal Operator operator) {
    sessions.endAll(operator.id());
    return "redirect:/portal/sign-in?signed-out";
  }
}
