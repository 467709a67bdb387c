package dev.countersign.server.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A change to a client's record. A null field is left unchanged; a list replaces the whole previous
 * list.
 *
 * @param name the new label
 * @param whitelist the new entries
 * @param roles the new roles
 * @param attributes the new settings by the names of the attributes; other attributes are left
 *     unchanged
 * @param removedAttributes the names of the attributes to remove
 * @param revision the revision that the operator looked at. If the client has a different revision
 *     by now, nothing is changed; null skips this check
 */
public record ClientUpdate(
    @Nullable String name,
    @Nullable List<String> whitelist,
    @Nullable List<String> roles,
    Map<String, AttributeSetting> attributes,
    Set<String> removedAttributes,
    @Nullable Long revision) {

  public ClientUpdate {
    whitelist = whitelist == null ? null : List.copyOf(whitelist);
    roles = roles == null ? null : List.copyOf(roles);
    attributes = Map.copyOf(attributes);
    removedAttributes = Set.copyOf(removedAttributes);
    if (!Collections.disjoint(attributes.keySet(), removedAttributes)) {
      throw new IllegalArgumentException("an attribute is either set or removed");
    }
  }

  /** Creates a change that leaves all attributes unchanged. */
  public ClientUpdate(
      @Nullable String name,
      @Nullable List<String> whitelist,
      @Nullable List<String> roles,
      @Nullable Long revision) {
    this(name, whitelist, roles, Map.of(), Set.of(), revision);
  }

  boolean isEmpty() {
    return name == null
        && whitelist == null
        && roles == null
        && attributes.isEmpty()
        && removedAttributes.isEmpty();
  }
}
