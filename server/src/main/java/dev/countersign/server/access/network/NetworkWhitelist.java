package dev.countersign.server.access.network;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The addresses that a client may call from.
 *
 * <p>An entry is an IPv4 or IPv6 literal, or a range such as {@code 10.0.0.0/8}. The host bits of a
 * range must be zero. The notation is strict: no zone, no leading zero, no shortened, octal or
 * hexadecimal IPv4. The entry {@code 0.0.0.0}, anywhere in the list, admits every IPv4 and IPv6
 * address. The range {@code 0.0.0.0/0} admits only IPv4 addresses.
 *
 * <p>An IPv4-mapped IPv6 peer ({@code ::ffff:203.0.113.7}, <a
 * href="https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2">RFC 4291 section 2.5.5.2</a>)
 * counts as IPv4. A whitelist entry in the mapped form is refused, and the message gives the IPv4
 * form. No IPv6 range, not even {@code ::/0}, contains an IPv4 peer.
 */
public final class NetworkWhitelist {
  private static final String EVERYONE = "0.0.0.0";
  private static final int MAX_ENTRIES = 1_000;

  private final List<String> entries;
  private final AddressRange[] ranges;
  private final boolean opensToEveryone;

  private NetworkWhitelist(List<String> entries, AddressRange[] ranges, boolean opensToEveryone) {
    this.entries = entries;
    this.ranges = ranges;
    this.opensToEveryone = opensToEveryone;
  }

  /**
   * Parses the entries, each an address or a range. Repetitions are dropped.
   *
   * @param entries 1 to 1,000 entries
   * @throws IllegalArgumentException if an entry is refused; the message gives the entry, the rule
   *     and the fix
   */
  public static NetworkWhitelist parse(List<String> entries) {
    if (entries.isEmpty() || entries.size() > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "network whitelist: must have 1 to 1,000 entries, was "
              + entries.size()
              + "; write 0.0.0.0 to allow every address, or ranges instead of single addresses");
    }
    boolean everyone = false;
    Map<Object, String> distinct = new LinkedHashMap<>();
    for (String entry : entries) {
      if (entry.equals(EVERYONE)) {
        everyone = true;
        distinct.putIfAbsent(EVERYONE, EVERYONE);
      } else {
        distinct.putIfAbsent(AddressRange.parse(entry), entry);
      }
    }
    AddressRange[] ranges =
        distinct.keySet().stream()
            .filter(AddressRange.class::isInstance)
            .toArray(AddressRange[]::new);
    return new NetworkWhitelist(List.copyOf(distinct.values()), ranges, everyone);
  }

  /** Returns whether a caller with this address is admitted. */
  public boolean allows(InetAddress peer) {
    return allows(peer.getAddress());
  }

  /**
   * Returns whether a caller with this address is admitted.
   *
   * @param peer 4 or 16 bytes in network order
   */
  public boolean allows(byte[] peer) {
    if (opensToEveryone) {
      return true;
    }
    AddressRange.Bits address = AddressRange.Bits.of(peer);
    for (AddressRange range : ranges) {
      if (range.contains(address)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the entries as given, without repetitions. */
  public List<String> entries() {
    return entries;
  }

  /** Returns whether the list contains {@code 0.0.0.0}, which admits every address. */
  public boolean opensToEveryone() {
    return opensToEveryone;
  }

  @Override
  public String toString() {
    return String.join(",", entries);
  }
}
