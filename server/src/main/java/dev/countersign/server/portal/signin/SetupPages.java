package dev.countersign.server.portal.signin;

import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.operators.OperatorException;
import dev.countersign.server.operators.signin.OneTimeLinkService;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The page of a one-time link, which sets the password of an account. */
@Controller
final class SetupPages {
  // RFC 9110 section 15.5.21.
  private static final int UNPROCESSABLE_CONTENT = 422;

  private final OneTimeLinkService links;
  private final TrustedProxies trustedProxies;

  SetupPages(OneTimeLinkService links, TrustedProxies trustedProxies) {
    this.links = links;
    this.trustedProxies = trustedProxies;
  }

  @GetMapping("/setup")
  String setup(Model model) {
    model.addAttribute("isFirstStart", links.needsFirstAdministrator());
    return "setup";
  }

  @PostMapping("/setup")
  String setPassword(
      @RequestParam String token,
      @RequestParam(required = false) @Nullable String name,
      @RequestParam String password,
      @RequestParam String again,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    InetAddress address = trustedProxies.addressOf(request);
    if (!password.equals(again)) {
      response.setStatus(UNPROCESSABLE_CONTENT);
      return showAgain(token, name, "The two passwords differ.", model);
    }
    try {
      if (links.needsFirstAdministrator()) {
        links.redeemFirst(token, name == null ? "" : name, password, address);
      } else {
        links.redeem(token, password, address);
      }
      return "redirect:" + PortalSecurity.SIGN_IN + "?ready";
    } catch (OperatorException refused) {
      response.setStatus(UNPROCESSABLE_CONTENT);
      return showAgain(token, name, String.valueOf(refused.getMessage()), model);
    }
  }

  private String showAgain(String token, @Nullable String name, String problem, Model model) {
    model.addAttribute("isFirstStart", links.needsFirstAdministrator());
    model.addAttribute("token", token);
    model.addAttribute("name", name);
    model.addAttribute("problem", problem);
    return "setup";
  }
}
