package dev.countersign.server.portal.clients;

import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.ClientKey;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.KeyChallenges;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.portal.NotFoundException;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The pages that add a key to a client and set when a key ends. */
@Controller
@RequestMapping("/integrations/api-keys/client/keys")
final class ClientKeysPage {
  private static final String END = "end";
  private static final String END_AT = "endAt";

  private final ClientPages pages;
  private final ClientStore clients;
  private final KeyChallenges challenges;

  ClientKeysPage(ClientPages pages, ClientStore clients, KeyChallenges challenges) {
    this.pages = pages;
    this.clients = clients;
    this.challenges = challenges;
  }

  @PostMapping
  ModelAndView add(
      @RequestParam MultiValueMap<String, String> sent,
      @RequestParam(defaultValue = "") String id,
      Author author,
      HttpServletRequest request) {
    Client client = pages.find(id);
    Map<String, String> problems = new LinkedHashMap<>();
    PublicKeyForm key = PublicKeyForm.read(sent, challenges, problems);
    @Nullable Instant end = end(sent, problems);
    if (problems.isEmpty()) {
      try {
        var added = Objects.requireNonNull(key.preview()).key();
        return ClientPages.goTo(
            clients.by(author).addKey(id, added, end, key.proof()), "key-added");
      } catch (ClientException refused) {
        problems.put(field(refused), String.valueOf(refused.getMessage()));
      }
    }
    return pages
        .page(
            HttpStatus.UNPROCESSABLE_CONTENT, client, pages.stored(client), key, problems, request)
        .addObject("end", sent.getFirst(END))
        .addObject("endAt", sent.getFirst(END_AT));
  }

  /**
   * Asks for confirmation, because ending a key locks out an integrator that still signs with it.
   * The page preselects seven days, so that a careless click ends nothing at once.
   */
  @GetMapping("/end")
  ModelAndView askForEnd(
      @RequestParam(defaultValue = "") String id,
      @RequestParam(defaultValue = "") String fingerprint,
      @AuthenticationPrincipal Operator operator) {
    ClientPages.requireAdministrator(operator);
    return endPage(HttpStatus.OK, pages.find(id), fingerprint)
        .addObject("end", KeyEndChoice.IN_7_DAYS.word());
  }

  @PostMapping("/end")
  ModelAndView end(
      @RequestParam MultiValueMap<String, String> sent,
      @RequestParam(defaultValue = "") String id,
      @RequestParam(defaultValue = "") String fingerprint,
      Author author) {
    Client client = pages.find(id);
    Map<String, String> problems = new LinkedHashMap<>();
    @Nullable Instant end = end(sent, problems);
    if (problems.isEmpty()) {
      try {
        // Refuses the beginning of a fingerprint, which the store would accept.
        String exact = key(client, fingerprint).fingerprint();
        return ClientPages.goTo(clients.by(author).setKeyEnd(id, exact, end), "key-end-set");
      } catch (ClientException refused) {
        problems.put(END, String.valueOf(refused.getMessage()));
      }
    }
    return endPage(HttpStatus.UNPROCESSABLE_CONTENT, client, fingerprint)
        .addObject("problems", problems)
        .addObject("end", sent.getFirst(END))
        .addObject("endAt", sent.getFirst(END_AT));
  }

  private ModelAndView endPage(HttpStatus status, Client client, String fingerprint) {
    ClientKey subject = key(client, fingerprint);
    List<ClientKey> others =
        client.liveKeys(pages.now()).stream().filter(key -> !key.equals(subject)).toList();
    return pages
        .about("api-keys/key-end", status, client)
        .addObject("subject", subject)
        .addObject("others", others)
        .addObject(
            "isNewest",
            others.stream().noneMatch(other -> other.addedAt().isAfter(subject.addedAt())))
        .addObject("ends", KeyEndChoice.values())
        .addObject("problems", Map.of());
  }

  private @Nullable Instant end(MultiValueMap<String, String> sent, Map<String, String> problems) {
    try {
      return KeyEndChoice.of(sent.getFirst(END)).end(pages.now(), sent.getFirst(END_AT));
    } catch (IllegalArgumentException refused) {
      problems.put(END, String.valueOf(refused.getMessage()));
      return null;
    }
  }

  private static ClientKey key(Client client, String fingerprint) {
    return client.keys().stream()
        .filter(key -> key.fingerprint().equals(fingerprint))
        .findFirst()
        .orElseThrow(() -> new NotFoundException("The client has no such key."));
  }

  private static String field(ClientException refused) {
    return switch (refused.reason()) {
      case NOT_PROVEN -> PublicKeyForm.SIGNATURE;
      case NOT_FOUND -> throw new NotFoundException(String.valueOf(refused.getMessage()));
      default -> PublicKeyForm.PUBLIC_KEY;
    };
  }
}
