package dev.countersign.server.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A client record as the operator sees it.
 *
 * @param clientId the keyid of its signatures; never changes
 * @param name the label of the record
 * @param whitelist the entries of its network whitelist
 * @param roles the names of its assigned roles
 * @param attributes its attributes as stored, in the alphabetical order of their names. The
 *     configuration may have changed since
 * @param status whether the client may call
 * @param keys its keys, oldest first, including ended ones
 * @param createdAt when the client was registered, to the millisecond
 * @param updatedAt when the client was last changed, to the millisecond
 * @param revision the revision of its last change. Revisions count the changes to all clients, so a
 *     later change has a greater revision
 */
public record Client(
    String clientId,
    String name,
    List<String> whitelist,
    List<String> roles,
    Map<String, AttributeSetting> attributes,
    Status status,
    List<ClientKey> keys,
    Instant createdAt,
    Instant updatedAt,
    long revision) {

  public Client {
    whitelist = List.copyOf(whitelist);
    roles = List.copyOf(roles);
    attributes =
        attributes.size() < 2
            ? Map.copyOf(attributes)
            : Collections.unmodifiableMap(new TreeMap<>(attributes));
    keys = List.copyOf(keys);
  }

  /** Returns the keys that verify signatures at the given time. */
  public List<ClientKey> liveKeys(Instant time) {
    return keys.stream().filter(key -> key.isLiveAt(time)).toList();
  }

  Client withStatus(Status status) {
    return new Client(
        clientId, name, whitelist, roles, attributes, status, keys, createdAt, updatedAt, revision);
  }

  /**
   * Returns the record that remains after the removal of the client: without attributes and keys.
   */
  Client removed() {
    return withRecord(name, whitelist, roles, Map.of())
        .withStatus(Status.REMOVED)
        .withKeys(List.of());
  }

  Client withKeys(List<ClientKey> keys) {
    return new Client(
        clientId, name, whitelist, roles, attributes, status, keys, createdAt, updatedAt, revision);
  }

  Client withRecord(
      String name,
      List<String> whitelist,
      List<String> roles,
      Map<String, AttributeSetting> attributes) {
    return new Client(
        clientId, name, whitelist, roles, attributes, status, keys, createdAt, updatedAt, revision);
  }

  Client changedAt(Instant time, long revision) {
    return new Client(
        clientId, name, whitelist, roles, attributes, status, keys, createdAt, time, revision);
  }

  /** The status of a client. */
  public enum Status {
    ENABLED,
    DISABLED,
    /** Removed permanently; its clientId cannot be used again. */
    REMOVED
  }
}
