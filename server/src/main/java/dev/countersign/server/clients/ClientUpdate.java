package dev.countersign.server.clients;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change to a client's record. A null field is left unchanged; a list replaces the whole previous
 * list.
 *
 * @param name the new label
 * @param whitelist the new entries
 * @param roles the new roles
 * @param revision the revision that the operator looked at. If the client has a different revision
 *     by now, nothing is changed; null skips this check
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
