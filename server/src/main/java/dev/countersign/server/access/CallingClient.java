package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import java.net.InetAddress;
import java.time.Instant;

/**
 * The client that made a verified request.
 *
 * <p>Only {@link RequestAuthenticator} makes one, after the signature has verified.
 */
public final class CallingClient {
  private final RegisteredClient client;
  private final InetAddress address;
  private final String fingerprint;

  /**
   * A client as it was when its signature was verified.
   *
   * @param fingerprint of the key that verified it
   */
  CallingClient(RegisteredClient client, InetAddress address, String fingerprint) {
    this.client = client;
    this.address = address;
    this.fingerprint = fingerprint;
  }

  public String clientId() {
    return client.clientId();
  }

  /** Where it called from, an address of its network whitelist. */
  public String address() {
    return address.getHostAddress();
  }

  /** The fingerprint of the key that signed the request, one of the client's live keys then. */
  public String fingerprint() {
    return fingerprint;
  }

  /**
   * Check 9: the client's roles allow the operation.
   *
   * @throws DeniedException {@link Reason#ROLE_MISSING}, naming the permission
   */
  public void require(Permission permission) {
    client.requirePermission(permission);
  }

  /**
   * Checks 3, 4, 7 and 9 once more, for what decides who the client is: since they passed in
   * memory, the body took its time, and other nodes may have changed the client.
   *
   * @param committed this client as it is in the caller's transaction
   * @throws DeniedException with the first of them that no longer passes
   */
  public void requireStill(RegisteredClient committed, Permission permission, Instant now) {
    committed.requireEnabled();
    committed.requireAllowed(address);
    if (committed.keys().stream()
        .noneMatch(key -> key.fingerprint().equals(fingerprint) && key.isLiveAt(now))) {
      throw new DeniedException(
          Reason.SIGNATURE_MISMATCH,
          "the key that signed the request has ended or was removed; sign with a live one");
    }
    committed.requirePermission(permission);
  }
}
