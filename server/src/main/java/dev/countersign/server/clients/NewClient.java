package dev.countersign.server.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client to register.
 *
 * @param name the label of the record, 1 to 120 characters
 * @param whitelist 1 to 1,000 addresses or ranges; {@code 0.0.0.0} admits every address
 * @param roles at least one role of the configuration
 * @param attributes attributes of the configuration, by name
 * @param publicKey the key that verifies the client's signatures
 * @param clientId an id that the operator chose; null to generate one
 */
public record NewClient(
    String name,
    List<String> whitelist,
    List<String> roles,
    Map<String, AttributeSetting> attributes,
    RSAPublicKey publicKey,
    @Nullable String clientId) {

  public NewClient {
    whitelist = List.copyOf(whitelist);
    roles = List.copyOf(roles);
    attributes = Map.copyOf(attributes);
  }

  /** Creates a client without attributes. */
  public NewClient(
      String name,
      List<String> whitelist,
      List<String> roles,
      RSAPublicKey publicKey,
      @Nullable String clientId) {
    this(name, whitelist, roles, Map.of(), publicKey, clientId);
  }
}
