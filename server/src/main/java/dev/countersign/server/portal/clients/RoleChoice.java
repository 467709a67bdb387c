package dev.countersign.server.portal.clients;

import dev.countersign.server.access.directory.Roles;
import java.util.Collection;
import java.util.List;

/**
 * A role with its checkbox.
 *
 * @param permissions the permissions that the role gives a client
 * @param isChosen whether the role is selected
 * @param isKnown whether the role is in the configuration; a client may hold a role that was
 *     removed from the configuration
 */
record RoleChoice(String name, List<String> permissions, boolean isChosen, boolean isKnown) {

  /** Returns all roles of the configuration, with the chosen ones selected. */
  static List<RoleChoice> of(Roles roles, Collection<String> chosen) {
    return roles.names().stream()
        .map(name -> new RoleChoice(name, permissions(roles, name), chosen.contains(name), true))
        .toList();
  }

  /** Returns the roles that a client holds, for a page without checkboxes. */
  static List<RoleChoice> held(Roles roles, Collection<String> held) {
    return held.stream()
        .map(
            name ->
                new RoleChoice(name, permissions(roles, name), true, roles.names().contains(name)))
        .toList();
  }

  private static List<String> permissions(Roles roles, String name) {
    return roles.permissionsOf(List.of(name)).stream().map(Object::toString).sorted().toList();
  }
}
