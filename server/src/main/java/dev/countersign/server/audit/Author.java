package dev.countersign.server.audit;

import dev.countersign.server.store.StoredText;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a change.
 *
 * @param name an operator's name in the portal, the user of the operating system who runs a
 *     command, a clientId, or {@code countersign} itself
 * @param channel the way by which the change comes
 * @param address the network address that it comes from, where there is one
 */
public record Author(String name, Channel channel, @Nullable String address) {
  private static final Author SERVICE = new Author("countersign", Channel.SERVICE, null);

  public Author {
    name = StoredText.of(name);
    address = address == null ? null : StoredText.of(address);
    if (name.isBlank()) {
      throw new IllegalArgumentException("an author has a name");
    }
    if (address != null && address.isBlank()) {
      throw new IllegalArgumentException("an address is null where there is none, never blank");
    }
  }

  /** An operator in the portal. */
  public static Author operator(String name, @Nullable String address) {
    return new Author(name, Channel.PORTAL, address);
  }

  /**
   * The user of the operating system who runs a command.
   *
   * @param user blank where the system knows no name
   */
  public static Author command(String user) {
    return new Author(user.isBlank() ? "unknown" : user, Channel.COMMAND, null);
  }

  /** A client that changes its own record by a signed request. */
  public static Author client(String clientId, String address) {
    return new Author(clientId, Channel.API, address);
  }

  /** The service, where nobody asked for the change. */
  public static Author service() {
    return SERVICE;
  }
}
