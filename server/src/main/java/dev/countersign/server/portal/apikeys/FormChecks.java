package dev.countersign.server.portal.apikeys;

import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.KeyChallenges;
import dev.countersign.server.clients.KeyPreview;
import dev.countersign.signatures.keys.KeyFileException;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Checks the fields of a form while an operator types. Each answer is a fragment of the page. */
@Controller
@RequestMapping("/integrations/api-keys/check")
final class FormChecks {
  private final KeyChallenges challenges;

  FormChecks(KeyChallenges challenges) {
    this.challenges = challenges;
  }

  @PostMapping("/whitelist")
  String whitelist(@RequestParam(defaultValue = "") String whitelist, Model model) {
    model.addAttribute("check", WhitelistCheck.of(whitelist));
    return "api-keys/checks :: whitelist";
  }

  @PostMapping("/key")
  String key(@RequestParam(defaultValue = "") String publicKey, Model model) {
    if (!publicKey.isBlank()) {
      try {
        model.addAttribute("preview", KeyPreview.read(publicKey));
      } catch (KeyFileException refused) {
        model.addAttribute("problem", PublicKeyForm.message(refused));
      }
    }
    return "api-keys/checks :: key";
  }

  @PostMapping("/challenge")
  String challenge(@RequestParam(defaultValue = "") String publicKey, Model model) {
    model.addAttribute("signature", "");
    try {
      model.addAttribute("challenge", challenges.issue(KeyPreview.read(publicKey).key()));
    } catch (KeyFileException refused) {
      model.addAttribute("problem", PublicKeyForm.message(refused));
    }
    return "api-keys/checks :: challenge";
  }

  @PostMapping("/proof")
  String proof(
      @RequestParam(defaultValue = "") String publicKey,
      @RequestParam(defaultValue = "") String challenge,
      @RequestParam(defaultValue = "") String signature,
      Model model) {
    if (KeyPreview.showsPrivateKey(signature)) {
      model.addAttribute("problem", PublicKeyForm.PRIVATE_KEY);
    } else if (!signature.isBlank()) {
      try {
        challenges.check(KeyPreview.read(publicKey).key(), challenge.strip(), signature);
        model.addAttribute("isProven", true);
      } catch (KeyFileException refused) {
        model.addAttribute("problem", PublicKeyForm.message(refused));
      } catch (ClientException refused) {
        model.addAttribute("problem", refused.getMessage());
      }
    }
    return "api-keys/checks :: proof";
  }
}
