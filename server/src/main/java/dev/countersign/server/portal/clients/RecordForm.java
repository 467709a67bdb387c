package dev.countersign.server.portal.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.ClientRules;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.clients.KeyPreview;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The fields of a client's record, as typed.
 *
 * @param name the client's label
 * @param whitelist the entries, one per line
 * @param roles the selected roles
 * @param attributes a field for each attribute of the configuration
 * @param removed the names of other attributes to remove; a client may have an attribute that was
 *     removed from the configuration
 */
record RecordForm(
    String name,
    String whitelist,
    List<String> roles,
    List<AttributeField> attributes,
    List<String> removed) {
  static final String NAME = "name";
  static final String WHITELIST = "whitelist";
  static final String ROLES = "roles";
  static final String REMOVED = "removed";

  static RecordForm empty(Attributes configured) {
    return new RecordForm(
        "",
        "",
        List.of(),
        configured.all().stream().map(AttributeField::empty).toList(),
        List.of());
  }

  static RecordForm of(Client client, Attributes configured) {
    return new RecordForm(
        client.name(),
        String.join("\n", client.whitelist()),
        client.roles(),
        configured.all().stream().map(one -> AttributeField.of(one, client)).toList(),
        List.of());
  }

  /**
   * Reads the fields. A private key that was pasted into a field is left out and reported as a
   * problem.
   */
  static RecordForm read(
      MultiValueMap<String, String> sent, Attributes configured, Map<String, String> problems) {
    return new RecordForm(
        text(sent, NAME, problems),
        text(sent, WHITELIST, problems),
        List.copyOf(sent.getOrDefault(ROLES, List.of())),
        configured.all().stream().map(one -> AttributeField.read(one, sent, problems)).toList(),
        List.copyOf(sent.getOrDefault(REMOVED, List.of())));
  }

  /** Returns the problems by field name, in the order of the fields. */
  Map<String, String> problems(ClientRules rules, Map<String, String> readProblems) {
    Map<String, String> problems = new LinkedHashMap<>();
    check(NAME, () -> rules.name(name), readProblems, problems);
    check(WHITELIST, () -> rules.whitelist(entries()), readProblems, problems);
    check(ROLES, () -> rules.roles(roles), readProblems, problems);
    for (AttributeField field : attributes) {
      Optional.ofNullable(readProblems.get(field.field()))
          .or(() -> field.problem(rules))
          .ifPresent(problem -> problems.put(field.field(), problem));
    }
    return problems;
  }

  /** Returns the attributes that the client is to have, by name. */
  public Map<String, AttributeSetting> settings() {
    Map<String, AttributeSetting> settings = new TreeMap<>();
    attributes.forEach(
        field -> field.setting().ifPresent(setting -> settings.put(field.name(), setting)));
    return settings;
  }

  /**
   * Returns the change that makes a client's record equal to the form.
   *
   * @param revision the revision that the operator looked at
   */
  ClientUpdate update(Client client, long revision) {
    Map<String, AttributeSetting> settings = settings();
    Set<String> toRemove = new HashSet<>(client.attributes().keySet());
    toRemove.removeAll(settings.keySet());
    toRemove.removeIf(name -> !removed.contains(name) && !hasField(name));
    return new ClientUpdate(name, entries(), roles, settings, toRemove, revision);
  }

  private boolean hasField(String attribute) {
    return attributes.stream().anyMatch(field -> field.name().equals(attribute));
  }

  /** Returns the lines of the whitelist that are not blank. */
  public List<String> entries() {
    return WhitelistCheck.entryLines(whitelist);
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
    if (KeyPreview.containsPrivateKey(value)) {
      problems.put(field, PublicKeyForm.PRIVATE_KEY);
      return "";
    }
    return value;
  }

  private static void check(
      String field, Runnable rule, Map<String, String> readProblems, Map<String, String> problems) {
    String known = readProblems.get(field);
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
