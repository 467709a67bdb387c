package dev.countersign.server.portal.clients;

import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.ClientRules;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.KeyChallenges;
import dev.countersign.server.clients.NewClient;
import dev.countersign.server.operators.Operator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The form that the button "+ Client" opens. */
@Controller
@RequestMapping("/integrations/api-keys")
final class NewClientPage {
  private final ClientStore clients;
  private final ClientRules rules;
  private final KeyChallenges challenges;
  private final ClientReach reach;

  NewClientPage(
      ClientStore clients, ClientRules rules, KeyChallenges challenges, ClientReach reach) {
    this.clients = clients;
    this.rules = rules;
    this.challenges = challenges;
    this.reach = reach;
  }

  @GetMapping("/new")
  ModelAndView form(@AuthenticationPrincipal Operator operator) {
    ClientPages.requireAdministrator(operator);
    return form(
        HttpStatus.OK, RecordForm.empty(reach.attributes()), PublicKeyForm.empty(), Map.of());
  }

  @PostMapping
  ModelAndView add(@RequestParam MultiValueMap<String, String> sent, Author author) {
    Map<String, String> readProblems = new LinkedHashMap<>();
    RecordForm form = RecordForm.read(sent, reach.attributes(), readProblems);
    Map<String, String> keyProblems = new LinkedHashMap<>();
    PublicKeyForm key = PublicKeyForm.read(sent, challenges, keyProblems);
    Map<String, String> problems = form.problems(rules, readProblems);
    problems.putAll(keyProblems);
    if (problems.isEmpty()) {
      try {
        return ClientPages.goTo(add(form, key, author), "added");
      } catch (ClientException refused) {
        problems.put(field(refused), String.valueOf(refused.getMessage()));
      }
    }
    return form(HttpStatus.UNPROCESSABLE_CONTENT, form, key, problems);
  }

  private Client add(RecordForm form, PublicKeyForm key, Author author) {
    NewClient request =
        new NewClient(
            form.name(),
            form.entries(),
            form.roles(),
            form.settings(),
            Objects.requireNonNull(key.preview()).key(),
            null);
    return clients.by(author).add(request, key.proof());
  }

  private static String field(ClientException refused) {
    return refused.reason() == ClientException.Reason.NOT_PROVEN
        ? PublicKeyForm.SIGNATURE
        : PublicKeyForm.PUBLIC_KEY;
  }

  private ModelAndView form(
      HttpStatus status, RecordForm form, PublicKeyForm key, Map<String, String> problems) {
    return new ModelAndView("api-keys/new", status)
        .addObject("form", form)
        .addObject("key", key)
        .addObject("problems", problems)
        .addObject("roles", RoleChoice.of(reach.roles(), form.roles()));
  }
}
