package dev.countersign.server.access.network;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
  private static final long ADDRESSES_IN_SLASH_8 = 1L << 24;

  /** Private (RFC 1918), shared (RFC 6598), loopback and link-local (RFC 6890) addresses. */
  private static final List<AddressRange> NOT_PUBLIC =
      Stream.of(
              "10.0.0.0/8",
              "172.16.0.0/12",
              "192.168.0.0/16",
              "100.64.0.0/10",
              "127.0.0.0/8",
              "169.254.0.0/16")
          .map(AddressRange::parse)
          .toList();

  private final List<String> entries;
  private final AddressRange[] ranges;
  private final boolean hasEveryone;

  private NetworkWhitelist(List<String> entries, AddressRange[] ranges, boolean hasEveryone) {
    this.entries = entries;
    this.ranges = ranges;
    this.hasEveryone = hasEveryone;
  }

  /**
   * Parses the entries, each an address or a range. Repetitions are dropped.
   *
   * @param entries 1 to 1,000 entries
   * @throws IllegalArgumentException if an entry is refused; the message gives the entry, the rule
   *     and the fix
   */
  public static NetworkWhitelist parse(List<String> entries) {
    return parse("network whitelist", entries);
  }

  /**
   * Parses the entries of a setting; see {@link #parse(List)}.
   *
   * @param name the name of the setting, for messages
   */
  static NetworkWhitelist parse(String name, List<String> entries) {
    if (entries.isEmpty() || entries.size() > MAX_ENTRIES) {
      throw new IllegalArgumentException(
          name
              + ": must have 1 to 1,000 entries, was "
              + entries.size()
              + "; write ranges instead of single addresses");
    }
    boolean everyone = false;
    Map<Object, String> distinct = new LinkedHashMap<>();
    for (String entry : entries) {
      if (entry.equals(EVERYONE)) {
        everyone = true;
        distinct.putIfAbsent(EVERYONE, EVERYONE);
      } else {
        distinct.putIfAbsent(range(name, entry), entry);
      }
    }
    AddressRange[] ranges =
        distinct.keySet().stream()
            .filter(AddressRange.class::isInstance)
            .toArray(AddressRange[]::new);
    return new NetworkWhitelist(List.copyOf(distinct.values()), ranges, everyone);
  }

  private static AddressRange range(String name, String entry) {
    try {
      return AddressRange.parse(entry);
    } catch (IllegalArgumentException refused) {
      throw new IllegalArgumentException(name + ": " + refused.getMessage(), refused);
    }
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
    if (hasEveryone) {
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

  /**
   * Returns whether a list with these entries would restrict nobody; false if it cannot be parsed,
   * because somebody damaged it by hand.
   */
  public static boolean opensToEveryone(List<String> entries) {
    try {
      return parse(entries).opensToEveryone();
    } catch (IllegalArgumentException damaged) {
      return false;
    }
  }

  /**
   * Returns whether the list restricts nobody: it contains {@code 0.0.0.0}, or its ranges together
   * cover all of IPv4, or all global unicast IPv6 addresses (2000::/3).
   */
  public boolean opensToEveryone() {
    return hasEveryone || covers(AddressRange.IPV4) || covers(AddressRange.IPV6_UNICAST);
  }

  private boolean covers(AddressRange all) {
    return AddressRange.covered(List.of(ranges), all).equals(all.size());
  }

  /**
   * Counts the public IPv4 addresses that the list admits: all but private (RFC 1918), shared (RFC
   * 6598), loopback and link-local addresses.
   */
  public long publicIpv4Addresses() {
    List<AddressRange> admitted = hasEveryone ? List.of(AddressRange.IPV4) : List.of(ranges);
    BigInteger count = AddressRange.covered(admitted, AddressRange.IPV4);
    for (AddressRange range : NOT_PUBLIC) {
      count = count.subtract(AddressRange.covered(admitted, range));
    }
    return count.longValueExact();
  }

  /**
   * Returns whether the list admits more public IPv4 addresses than a /8 contains, which is
   * probably a mistake.
   */
  public boolean hasManyPublicAddresses() {
    return publicIpv4Addresses() > ADDRESSES_IN_SLASH_8;
  }

  @Override
  public String toString() {
    return String.join(",", entries);
  }
}
