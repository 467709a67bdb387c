package dev.countersign.server.audit;

import dev.countersign.server.store.StoredText;
import org.jspecify.annotations.Nullable;

/**
 * The author of a change.
 *
 * @param name an operator's name in the portal, the operating-system user who runs a command, a
 *     clientId, or {@code countersign} for the service itself
 * @param channel how the change is made
 * @param address the author's network address, if there is one
 */
public record Author(String name, Channel channel, @Nullable String address) {
  private static final Author SERVICE = new Author("countersign", Channel.SERVICE, null);

  public Author {
    name = StoredText.of(name);
    address = address == null ? null : StoredText.of(address);
    if (name.isBlank()) {
      throw new IllegalArgumentException("an author needs a name");
    }
    if (address != null && address.isBlank()) {
      throw new IllegalArgumentException("an address must be null if there is none, never blank");
    }
  }

  /** Returns an operator in the portal. */
  public static Author operator(String name, @Nullable String address) {
    return new Author(name, Channel.PORTAL, address);
  }

  /**
   * Returns the operating-system user who runs a command.
   *
   * @param user the user's name; blank if the system does not know it
   */
  public static Author command(String user) {
    return new Author(user.isBlank() ? "unknown" : user, Channel.COMMAND, null);
  }

  /** Returns a client that changes its own record with a signed request. */
  public static Author client(String clientId, String address) {
    return new Author(clientId, Channel.API, address);
  }

  /** Returns the service, for a change that nobody requested. */
  public static Author service() {
    return SERVICE;
  }
}
