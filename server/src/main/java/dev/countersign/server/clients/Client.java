package dev.countersign.server.clients;

import java.time.Instant;
import java.util.List;

/**
 * A client record as the operator sees it.
 *
 * @param clientId the keyid of its signatures; it never changes
 * @param name the label of the record
 * @param whitelist the entries of its network whitelist
 * @param roles the names of its assigned roles
 * @param status whether it may call
 * @param keys its keys, the oldest first, ended ones included
 * @param createdAt when it was registered, in milliseconds
 * @param updatedAt when it was last changed, in milliseconds
 * @param revision counts the changes to all clients; a greater one is a later change
 */
public record Client(
    String clientId,
    String name,
    List<String> whitelist,
    List<String> roles,
    Status status,
    List<ClientKey> keys,
    Instant createdAt,
    Instant updatedAt,
    long revision) {

  public Client {
    whitelist = List.copyOf(whitelist);
    roles = List.copyOf(roles);
    keys = List.copyOf(keys);
  }

  /** The keys that verify signatures at the given time. */
  public List<ClientKey> liveKeys(Instant time) {
    return keys.stream().filter(key -> key.isLiveAt(time)).toList();
  }

  Client withStatus(Status status) {
    return new Client(
        clientId, name, whitelist, roles, status, keys, createdAt, updatedAt, revision);
  }

  Client withKeys(List<ClientKey> keys) {
    return new Client(
        clientId, name, whitelist, roles, status, keys, createdAt, updatedAt, revision);
  }

  Client withRecord(String name, List<String> whitelist, List<String> roles) {
    return new Client(
        clientId, name, whitelist, roles, status, keys, createdAt, updatedAt, revision);
  }

  Client changedAt(Instant time, long revision) {
    return new Client(clientId, name, whitelist, roles, status, keys, createdAt, time, revision);
  }

  /** Whether a client may call. */
  public enum Status {
    ENABLED,
    DISABLED,
    /** Gone for good; only its clientId is still taken. */
    REMOVED
  }
}
