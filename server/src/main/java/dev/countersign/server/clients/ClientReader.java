package dev.countersign.server.clients;

import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.clients.Client.Status;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts client records to the form that the access checks use. The roles and attributes of the
 * configuration decide what a record admits.
 */
public final class ClientReader {
  private static final Logger LOG = LoggerFactory.getLogger(ClientReader.class);
  // A range that contains no peer.
  private static final NetworkWhitelist NOBODY = NetworkWhitelist.parse(List.of("0.0.0.0/32"));

  private final Roles roles;
  private final Attributes attributes;
  private final CryptoProvider crypto;
  private final Map<List<String>, Set<Permission>> permissions = new ConcurrentHashMap<>();
  // The clients whose damaged records were logged.
  private final Set<String> damaged = ConcurrentHashMap.newKeySet();

  /**
   * Creates a reader.
   *
   * @param crypto the provider that parses the keys and verifies with them
   */
  public ClientReader(Roles roles, Attributes attributes, CryptoProvider crypto) {
    this.roles = roles;
    this.attributes = attributes;
    this.crypto = crypto;
  }

  /**
   * Converts a record. A record that somebody damaged by hand locks out only its own client, which
   * then counts as disabled. The log says so once.
   */
  RegisteredClient read(Client client) {
    String clientId = client.clientId();
    try {
      RegisteredClient read = convert(client);
      damaged.remove(clientId);
      return read;
    } catch (RuntimeException damage) {
      if (damaged.add(clientId)) {
        LOG.error("client {} is refused because its record is damaged", clientId, damage);
      }
      return new RegisteredClient(clientId, false, NOBODY, Set.of(), Map.of(), List.of());
    }
  }

  private RegisteredClient convert(Client client) {
    return new RegisteredClient(
        client.clientId(),
        client.status() == Status.ENABLED,
        NetworkWhitelist.parse(client.whitelist()),
        permissions.computeIfAbsent(client.roles(), roles::permissionsOf),
        attributes.admitted(client.attributes()),
        client.keys().stream().map(this::key).toList());
  }

  private RegisteredClient.Key key(ClientKey key) {
    VerificationKey verificationKey =
        new VerificationKey(
            SignatureAlgorithm.RSA_V1_5_SHA256,
            RsaPublicKeys.read(key.publicKey(), crypto),
            crypto);
    return new RegisteredClient.Key(key.fingerprint(), verificationKey, key.endsAt());
  }
}
