package dev.countersign.server.portal.clients;

import dev.countersign.server.access.Roles;
import java.util.Collection;
import java.util.List;

/**
 * A role to tick.
 *
 * @param permissions what it lets a client do
 * @param isChosen whether it is ticked
 * @param isKnown whether the configuration has it; a client may hold one from an earlier one
 */
record RoleChoice(String name, List<String> permissions, boolean isChosen, boolean isKnown) {

  /** All roles of the configuration. */
  static List<RoleChoice> of(Roles roles, Collection<String> chosen) {
    return roles.names().stream()
        .map(name -> new RoleChoice(name, permissions(roles, name), chosen.contains(name), true))
        .toList();
  }

  /** The roles that a client holds, for a page on which nobody ticks any. */
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
