package dev.countersign.server.access;

import dev.countersign.signatures.VerificationKey;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the access path knows of a client: as much as it takes to verify and to authorize.
 *
 * @param clientId the keyid of its signatures
 * @param enabled false while the operator has switched the client off
 * @param whitelist the addresses that it may call from
 * @param permissions the permissions of all its roles
 * @param keys one key, or two while the key is being rotated
 */
public record RegisteredClient(
    String clientId,
    boolean enabled,
    NetworkWhitelist whitelist,
    Set<Permission> permissions,
    List<Key> keys) {

  public RegisteredClient {
    permissions = Set.copyOf(permissions);
    keys = List.copyOf(keys);
  }

  /**
   * A key that verifies this client's signatures.
   *
   * @param fingerprint of the key, for logs and the audit
   * @param verificationKey an RSA key that passed the registration checks, with its algorithm
   * @param endsAt when it stops to verify; null for a key without an end
   */
  public record Key(String fingerprint, VerificationKey verificationKey, @Nullable Instant endsAt) {

    /** Whether the key still verifies at the given time. */
    public boolean isLiveAt(Instant time) {
      return endsAt == null || time.isBefore(endsAt);
    }
  }
}
