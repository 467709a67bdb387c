package dev.countersign.server.access.directory;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.signatures.VerificationKey;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data of a client that the access path needs to verify and authorize requests.
 *
 * @param clientId the keyid of the client's signatures
 * @param enabled false while the client is disabled
 * @param whitelist the addresses that the client may call from
 * @param permissions the permissions of all the client's roles
 * @param attributes what each of the client's attributes admits, by its name
 * @param keys one key, or two during a key rotation
 */
public record RegisteredClient(
    String clientId,
    boolean enabled,
    NetworkWhitelist whitelist,
    Set<Permission> permissions,
    Map<String, AttributeValue> attributes,
    List<Key> keys) {

  public RegisteredClient {
    permissions = Set.copyOf(permissions);
    attributes = Map.copyOf(attributes);
    keys = List.copyOf(keys);
  }

  /** Checks that the client is enabled. This is the last part of the check {@code client}. */
  public void requireEnabled() {
    if (!enabled) {
      throw new DeniedException(
          Reason.CLIENT_DISABLED, "the operator has disabled this client; ask them to enable it");
    }
  }

  /** Performs the check {@code address}. */
  public void requireAllowed(InetAddress address) {
    if (!whitelist.allows(address)) {
      throw new DeniedException(
          Reason.ADDRESS_NOT_ALLOWED,
          "the request comes from "
              + address.getHostAddress()
              + ", which is not on the client's network whitelist");
    }
  }

  /** Performs the check {@code authorization}. */
  public void requirePermission(Permission permission) {
    if (!permissions.contains(permission)) {
      throw new DeniedException(
          Reason.ROLE_MISSING,
          "none of the client's roles has the permission "
              + permission
              + "; ask the operator for a role with this permission");
    }
  }

  /**
   * A key that verifies this client's signatures.
   *
   * @param fingerprint the key's fingerprint, for logs and the audit trail
   * @param verificationKey an RSA key that passed the registration checks, with its algorithm
   * @param endsAt when the key stops verifying; null for a key without an end
   */
  public record Key(String fingerprint, VerificationKey verificationKey, @Nullable Instant endsAt) {

    /** Returns whether the key verifies at the given time. */
    public boolean isLiveAt(Instant time) {
      return endsAt == null || time.isBefore(endsAt);
    }
  }
}
