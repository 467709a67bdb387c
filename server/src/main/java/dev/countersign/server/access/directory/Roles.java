package dev.countersign.server.access.directory;

import dev.countersign.protocol.PlainText;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The roles of the configuration, each a named set of {@link Permission}s.
 *
 * <p>A role that is not in the configuration grants nothing: removing a role from the configuration
 * removes it from every client.
 */
public final class Roles {
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,64}");

  private final Map<String, Set<Permission>> byName;
  private final String origin;

  private Roles(Map<String, Set<Permission>> byName, String origin) {
    this.byName = byName;
    this.origin = origin;
  }

  /**
   * Reads the roles from the configuration.
   *
   * @param configured the permissions of each role, such as {@code [ledger:wallets:read]} for
   *     {@code ledger-viewer}
   * @throws IllegalArgumentException naming the role and the problem
   */
  public static Roles parse(Map<String, List<String>> configured) {
    Map<String, Set<Permission>> byName = new LinkedHashMap<>();
    configured.forEach((name, texts) -> byName.put(checkName(name), permissions(name, texts)));
    return new Roles(Collections.unmodifiableMap(byName), "the configuration");
  }

  /** Returns a copy whose messages name this place as the origin of the roles. */
  public Roles from(String where) {
    return new Roles(byName, where);
  }

  private static String checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a role's name must be 1 to 64 characters of a-z, 0-9 and -, was "
              + PlainText.quoted(name));
    }
    return name;
  }

  private static Set<Permission> permissions(String role, List<String> texts) {
    if (texts.isEmpty()) {
      throw new IllegalArgumentException(
          "role " + role + " has no permission; add at least one, such as ledger:wallets:read");
    }
    try {
      return texts.stream().map(Permission::of).collect(Collectors.toUnmodifiableSet());
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException("role " + role + ": " + malformed.getMessage(), malformed);
    }
  }

  /** Returns the names of all roles, in the order of the configuration. */
  public Set<String> names() {
    return byName.keySet();
  }

  /** Returns the permissions of all these roles together. An unknown role grants nothing. */
  public Set<Permission> permissionsOf(Collection<String> roleNames) {
    return roleNames.stream()
        .flatMap(name -> byName.getOrDefault(name, Set.of()).stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Checks the roles that an operator gives to a client.
   *
   * @throws IllegalArgumentException naming the first unknown role and all known ones
   */
  public void requireKnown(Collection<String> roleNames) {
    for (String name : roleNames) {
      if (!byName.containsKey(name)) {
        throw new IllegalArgumentException(
            "there is no role "
                + PlainText.quoted(name)
                + (names().isEmpty()
                    ? "; " + origin + " has no roles; add them under countersign.roles"
                    : "; the roles of " + origin + " are " + list(names())));
      }
    }
  }

  /**
   * Checks at start-up that each permission belongs to an operation that exists.
   *
   * @param known the permissions of all operations
   * @throws IllegalArgumentException naming the role, the permission and the known ones
   */
  public void check(Set<Permission> known) {
    byName.forEach(
        (role, permissions) -> {
          for (Permission permission : permissions) {
            if (!known.contains(permission)) {
              throw new IllegalArgumentException(
                  "role "
                      + role
                      + " has the permission "
                      + permission
                      + ", which no operation requires; the permissions are "
                      + list(known));
            }
          }
        });
  }

  private static String list(Collection<?> values) {
    Set<String> sorted = new TreeSet<>();
    values.forEach(value -> sorted.add(value.toString()));
    return sorted.isEmpty() ? "none" : String.join(", ", sorted);
  }
}
