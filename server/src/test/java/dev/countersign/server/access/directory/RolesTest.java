package dev.countersign.server.access.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RolesTest {
  private static final Permission READ = Permission.of("ledger:wallets:read");
  private static final Permission CREATE = Permission.of("ledger:wallets:create");

  private final Roles roles = Roles.parse(builtIn());

  @Test
  void permissionsOf_severalRoles_areAllTheirPermissions() {
    assertThat(roles.permissionsOf(List.of("ledger-viewer"))).containsExactly(READ);
    assertThat(roles.permissionsOf(List.of("ledger-viewer", "ledger-operator")))
        .containsExactlyInAnyOrder(READ, CREATE);
  }

  @Test
  void permissionsOf_unknownRole_areNone() {
    assertThat(roles.permissionsOf(List.of("gone"))).isEmpty();
  }

  @Test
  void names_areInTheOrderOfTheConfiguration() {
    assertThat(roles.names()).containsExactly("ledger-viewer", "ledger-operator");
  }

  @Test
  void requireKnown_unknownRole_namesTheKnownOnes() {
    assertThatNoException().isThrownBy(() -> roles.requireKnown(List.of("ledger-viewer")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> roles.requireKnown(List.of("ledger-viewer", "admin")))
        .withMessage(
            "there is no role \"admin\"; the roles of the configuration are ledger-operator,"
                + " ledger-viewer");
  }

  @Test
  void check_permissionOfNoListing_namesRoleAndPermission() {
    assertThatNoException().isThrownBy(() -> roles.check(Set.of(READ, CREATE)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> roles.check(Set.of(READ)))
        .withMessage(
            "role ledger-operator has the permission ledger:wallets:create, which no operation"
                + " requires; the permissions are ledger:wallets:read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Viewer", "a b", "a,b", "rôle"})
  void parse_nameOfAnotherForm_throws(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Roles.parse(Map.of(name, List.of("a:b:read"))))
        .withMessageStartingWith("a role's name must be 1 to 64 characters of a-z, 0-9 and -");
  }

  @Test
  void parse_noOrMalformedPermission_namesTheRole() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Roles.parse(Map.of("idle", List.of())))
        .withMessageContaining("role idle has no permission");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Roles.parse(Map.of("odd", List.of("ledger:wallets:delete"))))
        .withMessageContaining("role odd: ")
        .withMessageContaining("ledger:wallets:delete");
  }

  private static Map<String, List<String>> builtIn() {
    Map<String, List<String>> roles = new LinkedHashMap<>();
    roles.put("ledger-viewer", List.of("ledger:wallets:read"));
    roles.put("ledger-operator", List.of("ledger:wallets:read", "ledger:wallets:create"));
    return roles;
  }
}
