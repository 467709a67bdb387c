package dev.countersign.server.clients;

import dev.countersign.server.access.directory.Roles;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The roles that the tests use, as in the built-in configuration. */
public final class TestRoles {
  private TestRoles() {}

  public static Roles ledger() {
    return Roles.parse(
        new TreeMap<>(
            Map.of(
                "ledger-viewer", List.of("ledger:wallets:read"),
                "ledger-operator", List.of("ledger:wallets:read", "ledger:wallets:create"))));
  }
}
