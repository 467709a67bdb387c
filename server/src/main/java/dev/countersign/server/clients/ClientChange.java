package dev.countersign.server.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.audit.Change;
import dev.countersign.server.clients.Client.Status;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Describes a change to a client for the audit trail. The entry holds only the fields that differ,
 * and describes each key by fingerprint, size and end. An added client has no fields before the
 * change, and a removed client has no fields afterwards.
 *
 * <p>An attribute is described by the list of its values, or by {@code *} for everything. If it has
 * more than 100 values before or after the change, the entry has only their number and the values
 * that differ.
 */
final class ClientChange {
  private static final String KEYS = "keys";
  // Longer lists of an attribute's values are reduced to the values that differ.
  private static final int MAX_VALUES = 100;

  private ClientChange() {}

  /**
   * Returns the entry for a change.
   *
   * @param proof the proof of possession of an added key; null if there is no proof
   */
  static Change of(
      String action, @Nullable Client before, Client after, @Nullable PossessionProof proof) {
    return of(action, before, after, proof != null);
  }

  /**
   * Returns the entry for a rotation by the client itself. The new key's signature is the proof of
   * possession.
   *
   * @param signedBy the fingerprint of the present key, which signed the request
   */
  static Change ofRotation(Client before, Client after, String signedBy) {
    Change change = of("client.key-added", before, after, true);
    Map<String, Object> described = new TreeMap<>(change.after());
    described.put("signedBy", signedBy);
    return new Change(change.action(), change.subject(), change.before(), described);
  }

  private static Change of(String action, @Nullable Client before, Client after, boolean proven) {
    Map<String, Object> old = before == null ? Map.of() : fields(before);
    Map<String, Object> current = after.status() == Status.REMOVED ? Map.of() : fields(after);
    Map<String, Object> onlyBefore = differing(old, current);
    Map<String, Object> onlyAfter = differing(current, old);
    Map<String, AttributeSetting> attributes = before == null ? Map.of() : before.attributes();
    putAttributes(onlyBefore, attributes, after.attributes());
    putAttributes(onlyAfter, after.attributes(), attributes);
    if (proven) {
      onlyAfter.put("possession", "proven");
    }
    return new Change(action, "client:" + after.clientId(), onlyBefore, onlyAfter);
  }

  private static Map<String, Object> fields(Client client) {
    return Map.of(
        "name",
        client.name(),
        "whitelist",
        client.whitelist(),
        "roles",
        client.roles(),
        "status",
        client.status().name().toLowerCase(Locale.ROOT),
        KEYS,
        client.keys().stream().map(ClientChange::key).toList());
  }

  private static Map<String, Object> key(ClientKey key) {
    Map<String, Object> fields = new TreeMap<>();
    fields.put("fingerprint", key.fingerprint());
    fields.put("bits", key.bits());
    if (key.endsAt() != null) {
      fields.put("endsAt", key.endsAt().toString());
    }
    return fields;
  }

  /** Adds the attributes that {@code others} lacks or holds with a different setting. */
  private static void putAttributes(
      Map<String, Object> fields,
      Map<String, AttributeSetting> attributes,
      Map<String, AttributeSetting> others) {
    Map<String, Object> different = new TreeMap<>();
    attributes.forEach(
        (name, setting) -> {
          AttributeSetting other = others.get(name);
          if (!setting.equals(other)) {
            different.put(name, attribute(setting, other == null ? List.of() : other.values()));
          }
        });
    if (!different.isEmpty()) {
      fields.put("attributes", different);
    }
  }

  private static Object attribute(AttributeSetting setting, List<String> others) {
    List<String> values = setting.values();
    if (setting.isEverything()) {
      return AttributeSetting.WILDCARD;
    }
    if (Math.max(values.size(), others.size()) <= MAX_VALUES) {
      return values;
    }
    Set<String> same = Set.copyOf(others);
    return Map.of(
        "count",
        values.size(),
        "differing",
        values.stream().filter(value -> !same.contains(value)).toList());
  }

  /** Returns the fields and keys that {@code others} lacks or holds with a different value. */
  private static Map<String, Object> differing(
      Map<String, Object> fields, Map<String, Object> others) {
    Map<String, Object> different = new TreeMap<>(fields);
    different.entrySet().removeIf(field -> field.getValue().equals(others.get(field.getKey())));
    if (different.get(KEYS) instanceof List<?> keys && others.get(KEYS) instanceof List<?> same) {
      List<?> rest = keys.stream().filter(key -> !same.contains(key)).toList();
      if (rest.isEmpty()) {
        different.remove(KEYS);
      } else {
        different.put(KEYS, rest);
      }
    }
    return different;
  }
}
