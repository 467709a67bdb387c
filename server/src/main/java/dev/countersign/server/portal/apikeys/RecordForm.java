package dev.countersign.server.portal.apikeys;

import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.ClientRules;
import dev.countersign.server.clients.KeyPreview;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The fields of a client's record, as typed.
 *
 * @param name the client's label
 * @param whitelist the entries, one per line
 * @param roles the selected roles
 */
record RecordForm(String name, String whitelist, List<String> roles) {
  static final String NAME = "name";
  static final String WHITELIST = "whitelist";
  static final String ROLES = "roles";

  static RecordForm empty() {
    return new RecordForm("", "", List.of());
  }

  static RecordForm of(Client client) {
    return new RecordForm(client.name(), String.join("\n", client.whitelist()), client.roles());
  }

  /**
   * Reads the fields. A private key that was pasted into a field is left out and reported as a
   * problem.
   */
  static RecordForm read(MultiValueMap<String, String> sent, Map<String, String> problems) {
    return new RecordForm(
        text(sent, NAME, problems),
        text(sent, WHITELIST, problems),
        List.copyOf(sent.getOrDefault(ROLES, List.of())));
  }

  /** Returns the problems by field name, in the order of the fields. */
  Map<String, String> problems(ClientRules rules, Map<String, String> earlier) {
    Map<String, String> problems = new LinkedHashMap<>();
    check(NAME, () -> rules.name(name), earlier, problems);
    check(WHITELIST, () -> rules.whitelist(entries()), earlier, problems);
    check(ROLES, () -> rules.roles(roles), earlier, problems);
    return problems;
  }

  /** Returns the lines of the whitelist that are not blank. */
  public List<String> entries() {
    return WhitelistCheck.entries(whitelist);
  }

  /** Returns the result of the live check of the whitelist. */
  public WhitelistCheck whitelistCheck() {
    return WhitelistCheck.of(whitelist);
  }

  /** Reads a field; a private key in it is replaced by an empty text and reported as a problem. */
  static String text(
      MultiValueMap<String, String> sent, String field, Map<String, String> problems) {
    @Nullable String value = sent.getFirst(field);
    if (value == null) {
      return "";
    }
    if (KeyPreview.showsPrivateKey(value)) {
      problems.put(field, PublicKeyForm.PRIVATE_KEY);
      return "";
    }
    return value;
  }

  private static void check(
      String field, Runnable rule, Map<String, String> earlier, Map<String, String> problems) {
    String known = earlier.get(field);
    if (known != null) {
      problems.put(field, known);
      return;
    }
    try {
      rule.run();
    } catch (ClientException refused) {
      problems.put(field, String.valueOf(refused.getMessage()));
    }
  }
}
