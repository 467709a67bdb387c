package dev.countersign.server.clients;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to change of a client; a null leaves a field as it is, a given list replaces the whole one.
 *
 * @param name the new label
 * @param whitelist the new entries
 * @param roles the new roles
 * @param revision the revision that the operator looked at: where the client has another one by
 *     now, nothing is changed; null to change it whatever its revision
 */
public record ClientUpdate(
    @Nullable String name,
    @Nullable List<String> whitelist,
    @Nullable List<String> roles,
    @Nullable Long revision) {

  public ClientUpdate {
    whitelist = whitelist == null ? null : List.copyOf(whitelist);
    roles = roles == null ? null : List.copyOf(roles);
  }

  boolean isEmpty() {
    return name == null && whitelist == null && roles == null;
  }
}
