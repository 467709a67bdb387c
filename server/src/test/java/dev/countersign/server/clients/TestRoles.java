package dev.countersign.server.clients;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.access.directory.AttributeProperties;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** The roles that the tests use, as in the built-in configuration, and some attributes. */
public final class TestRoles {
  private TestRoles() {}

  public static Roles ledger() {
    return Roles.parse(
        new TreeMap<>(
            Map.of(
                "ledger-viewer", List.of("ledger:wallets:read"),
                "ledger-operator", List.of("ledger:wallets:read", "ledger:wallets:create"))));
  }

  /** An attribute of each type. A client may have several customerIds and tenants. */
  public static Attributes attributes() {
    Map<String, AttributeProperties> attributes = new LinkedHashMap<>();
    attributes.put("customerId", new AttributeProperties("text", true));
    attributes.put("region", new AttributeProperties("integer", false));
    attributes.put("tenant", new AttributeProperties("uuid", true));
    return Attributes.parse(attributes);
  }

  public static ClientRules rules() {
    return new ClientRules(ledger(), attributes());
  }

  /** A registry that needs no heartbeat. */
  static ClientRegistry registry(Database database, Attributes attributes) {
    return registry(database, attributes, System::nanoTime);
  }

  static ClientRegistry registry(Database database, Attributes attributes, LongSupplier ticker) {
    return ClientRegistry.open(
        database,
        new ClientReader(ledger(), attributes, CryptoProvider.jdk()),
        new NodeFitness(Duration.ofSeconds(60), ticker),
        null);
  }

  public static ClientReach reach(ClientReach.ScopedListing... listings) {
    return new ClientReach(ledger(), attributes(), List.of(listings));
  }
}
