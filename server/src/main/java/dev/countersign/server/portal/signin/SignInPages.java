package dev.countersign.server.portal.signin;

import dev.countersign.server.operators.signin.OneTimeLinkService;
import dev.countersign.server.portal.PortalProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The sign-in page. */
@Controller
final class SignInPages {
  private final PortalProperties properties;
  private final OneTimeLinkService links;

  SignInPages(PortalProperties properties, OneTimeLinkService links) {
    this.properties = properties;
    this.links = links;
  }

  @GetMapping("/sign-in")
  String signIn(
      @RequestParam(required = false) @Nullable String to,
      @RequestParam(required = false) @Nullable Integer wait,
      @Nullable Authentication signedIn,
      Model model) {
    Destination destination = Destination.named(to);
    if (signedIn instanceof OperatorAuthentication) {
      return "redirect:" + destination.page();
    }
    model.addAttribute("to", destination.page());
    model.addAttribute("wait", wait);
    model.addAttribute("passwords", properties.passwords());
    model.addAttribute("openid", properties.openid() != null);
    model.addAttribute("isFirstStart", properties.passwords() && links.needsFirstAdministrator());
    return "sign-in";
  }
}
