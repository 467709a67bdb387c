package dev.countersign.server.clients;

import dev.countersign.server.clients.Client.Status;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which clients to find, in which order, and which page of them.
 *
 * @param text what name, clientId, whitelist or a key's fingerprint has in it, in capitals or not;
 *     blank for any
 * @param status enabled or disabled ones alone; null for both
 * @param sort by what they are sorted
 * @param direction upwards or downwards
 * @param page counted from 0; where there are fewer, the last one is found
 * @param size 25, 50 or 100 a page
 */
public record ClientQuery(
    String text,
    @Nullable Status status,
    ClientSort sort,
    ClientSort.Direction direction,
    int page,
    int size) {
  /** How many there can be on a page. */
  public static final Set<Integer> SIZES = Set.of(25, 50, 100);

  public ClientQuery {
    text = text.strip();
    if (page < 0 || !SIZES.contains(size)) {
      throw new IllegalArgumentException("page is 0 or more and size 25, 50 or 100");
    }
  }
}
