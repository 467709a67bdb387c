package dev.countersign.server.portal.clients;

import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.KeyChallenges;
import dev.countersign.server.clients.KeyPreview;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.portal.NotFoundException;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.KeyFileException;
import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Checks the fields of a form while an operator types. Each answer is a fragment of the page. */
@Controller
@RequestMapping("/integrations/api-keys/check")
final class FormChecks {
  private final KeyChallenges challenges;
  private final ClientReach reach;
  private final ScopeMatches matches;

  FormChecks(
      KeyChallenges challenges, ClientReach reach, ListingCatalog listings, Database database) {
    this.challenges = challenges;
    this.reach = reach;
    this.matches = new ScopeMatches(listings, database);
  }

  @PostMapping("/whitelist")
  String whitelist(@RequestParam(defaultValue = "") String whitelist, Model model) {
    model.addAttribute("check", WhitelistCheck.of(whitelist));
    return "api-keys/checks :: whitelist";
  }

  /** Says how many records the values of an attribute match. */
  @PostMapping("/attribute")
  String attribute(
      @RequestParam(defaultValue = "") String attribute,
      @RequestParam MultiValueMap<String, String> sent,
      Model model) {
    Attributes.Definition definition =
        reach
            .attributes()
            .find(attribute)
            .orElseThrow(() -> new NotFoundException("There is no such attribute."));
    Map<String, String> problems = new HashMap<>();
    AttributeField field = AttributeField.read(definition, sent, problems);
    model.addAttribute("field", field);
    model.addAttribute("problem", problems.get(field.field()));
    if (problems.isEmpty() && !field.values().isEmpty()) {
      try {
        model.addAttribute(
            "matches", matches.of(attribute, reach.attributes().values(attribute, field.values())));
      } catch (IllegalArgumentException refused) {
        model.addAttribute("problem", refused.getMessage());
      }
    }
    return "api-keys/checks :: attribute";
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
    if (KeyPreview.containsPrivateKey(signature)) {
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
