package dev.countersign.server.access;

/**
 * The client that made a verified request.
 *
 * <p>Only {@link RequestAuthenticator} makes one, after the signature has verified.
 */
public final class CallingClient {
  private final RegisteredClient client;

  CallingClient(RegisteredClient client) {
    this.client = client;
  }

  public String clientId() {
    return client.clientId();
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
