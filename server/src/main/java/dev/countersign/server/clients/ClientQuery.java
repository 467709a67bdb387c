package dev.countersign.server.clients;

import dev.countersign.server.clients.Client.Status;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A search for clients.
 *
 * @param text part of the name, clientId, whitelist, a key's fingerprint or an attribute, ignoring
 *     the case of A to Z, and on PostgreSQL also that of other letters in a name; blank for any. An
 *     attribute reads {@code customerId=4711}, or {@code customerId=*} for everything
 * @param status only enabled or only disabled clients; null for both
 * @param sort the sort key
 * @param direction ascending or descending
 * @param page the page, counted from 0; a number after the last page selects the last page
 * @param size the clients per page: 25, 50 or 100
 */
public record ClientQuery(
    String text,
    @Nullable Status status,
    ClientSort sort,
    ClientSort.Direction direction,
    int page,
    int size) {
  /** The page sizes. */
  public static final Set<Integer> SIZES = Set.of(25, 50, 100);

  public ClientQuery {
    text = text.strip();
    if (page < 0 || !SIZES.contains(size)) {
      throw new IllegalArgumentException("page must be 0 or more, and size must be 25, 50 or 100");
    }
  }
}
