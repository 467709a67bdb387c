package dev.countersign.server.access;

import java.net.InetAddress;

/**
 * The client that made a verified request.
 *
 * <p>Only {@link RequestAuthenticator} makes one, after the signature has verified.
 */
public final class CallingClient {
  private final RegisteredClient client;
  private final InetAddress address;

  CallingClient(RegisteredClient client, InetAddress address) {
    this.client = client;
    this.address = address;
  }

  public String clientId() {
    return client.clientId();
  }

  /** Where it called from, an address of its network whitelist. */
  public String address() {
    return address.getHostAddress();
  }

  /**
   * Check 9: the client's roles allow the operation.
   *
   * @throws DeniedException {@link Reason#ROLE_MISSING}, naming the permission
   */
  public void require(Permission permission) {
    if (!client.permissions().contains(permission)) {
      throw new DeniedException(
          Reason.ROLE_MISSING,
          "none of the client's roles has the permission " + permission + "; ask the operator");
    }
  }
}
