package dev.countersign.server.access.network;

import dev.countersign.protocol.PlainText;
import inet.ipaddr.AddressStringParameters.RangeParameters;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressNetwork.IPAddressGenerator;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.IPAddressStringParameters;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One address, or all addresses that begin with the same bits (<a
 * href="https://www.rfc-editor.org/rfc/rfc4632#section-3.1">RFC 4632 section 3.1</a>).
 *
 * <p>An IPv4 address is stored as an IPv4-mapped IPv6 address, {@code ::ffff:a.b.c.d}, with a
 * prefix that is 96 bits longer. An IPv6 range never contains an IPv4 address.
 *
 * @param high the first 64 bits of the range
 * @param low the last 64 bits
 * @param prefix the number of leading bits that must be equal, 0 to 128
 */
record AddressRange(long high, long low, int prefix) {
  private static final int MAPPED_BITS = 96;
  private static final long MAPPED = 0xFFFFL << 32;

  /** All IPv4 addresses. */
  static final AddressRange IPV4 = new AddressRange(0, MAPPED, MAPPED_BITS);

  /** All global unicast IPv6 addresses in use: 2000::/3 (RFC 4291 section 2.4). */
  static final AddressRange IPV6_UNICAST = new AddressRange(0x2000_0000_0000_0000L, 0, 3);

  // IPAddressString also accepts other notations, such as base 85; this pattern excludes them.
  private static final Pattern LITERAL = Pattern.compile("[0-9A-Fa-f:.]{2,45}");
  private static final Pattern PREFIX = Pattern.compile("0|[1-9][0-9]{0,2}");
  private static final IPAddressStringParameters STRICT = strict();

  /**
   * Parses an IPv4 or IPv6 literal, optionally followed by a slash and a prefix length.
   *
   * @throws IllegalArgumentException if the text is refused; the message gives the value, the rule
   *     and the fix
   */
  static AddressRange parse(String text) {
    int slash = text.indexOf('/');
    String literal = slash < 0 ? text : text.substring(0, slash);
    IPAddress address = address(literal, text);
    int width = address.getBitCount();
    int prefix = slash < 0 ? width : prefix(text.substring(slash + 1), width, text);
    Bits bits = Bits.of(address.getBytes());
    if (bits.isIpv4() && !address.isIPv4() && prefix >= MAPPED_BITS) {
      throw refused(text, "is an IPv4 address in IPv6 form; write it as " + asIpv4(bits, prefix));
    }
    AddressRange range =
        new AddressRange(bits.high(), bits.low(), address.isIPv4() ? prefix + MAPPED_BITS : prefix);
    AddressRange network = range.withoutHostBits();
    if (!network.equals(range)) {
      throw refused(
          text,
          "has bits set beyond its prefix; write "
              // The fix for a prefix of 0 must not be a range that admits everyone.
              + (prefix == 0 ? "" : network.text(address.isIPv4()) + " for the range, or ")
              + literal
              + " for the single address");
    }
    if (range.prefix == 128 && range.high == 0 && range.low == 0) {
      throw refused(text, "cannot be a caller's address; write the address that the caller has");
    }
    return range;
  }

  /** Returns whether the range contains the address. An IPv4-mapped IPv6 address counts as IPv4. */
  boolean contains(Bits address) {
    return address.isIpv4() == isIpv4()
        && ((high ^ address.high()) & highMask()) == 0
        && ((low ^ address.low()) & lowMask()) == 0;
  }

  /**
   * Counts the addresses of {@code target} that are in at least one of the {@code ranges}, which
   * may overlap.
   *
   * @param ranges any ranges, at most 1,000
   */
  static BigInteger covered(List<AddressRange> ranges, AddressRange target) {
    if (ranges.stream().anyMatch(range -> range.contains(target))) {
      return target.size();
    }
    List<AddressRange> inside = ranges.stream().filter(target::contains).toList();
    return inside.isEmpty()
        ? BigInteger.ZERO
        : covered(inside, target.half(0)).add(covered(inside, target.half(1)));
  }

  /** Returns the number of addresses. */
  BigInteger size() {
    return BigInteger.ONE.shiftLeft(128 - prefix);
  }

  private boolean contains(AddressRange other) {
    return other.prefix >= prefix
        && other.isIpv4() == isIpv4()
        && ((high ^ other.high) & highMask()) == 0
        && ((low ^ other.low) & lowMask()) == 0;
  }

  /** Returns the lower (0) or upper (1) half of a range that has more than one address. */
  private AddressRange half(long which) {
    return prefix < 64
        ? new AddressRange(high | which << (63 - prefix), low, prefix + 1)
        : new AddressRange(high, low | which << (127 - prefix), prefix + 1);
  }

  private boolean isIpv4() {
    return prefix >= MAPPED_BITS && new Bits(high, low).isIpv4();
  }

  private long highMask() {
    return prefix == 0 ? 0 : -1L << (64 - Math.min(prefix, 64));
  }

  private long lowMask() {
    return prefix <= 64 ? 0 : -1L << (128 - prefix);
  }

  private AddressRange withoutHostBits() {
    return new AddressRange(high & highMask(), low & lowMask(), prefix);
  }

  private String text(boolean ipv4) {
    return canonical(new Bits(high, low), ipv4) + "/" + (ipv4 ? prefix - MAPPED_BITS : prefix);
  }

  private static String asIpv4(Bits bits, int prefix) {
    return canonical(bits, true) + (prefix == 128 ? "" : "/" + (prefix - MAPPED_BITS));
  }

  private static String canonical(Bits bits, boolean ipv4) {
    byte[] bytes =
        ipv4
            ? ByteBuffer.allocate(4).putInt((int) bits.low()).array()
            : ByteBuffer.allocate(16).putLong(bits.high()).putLong(bits.low()).array();
    return new IPAddressGenerator().from(bytes).toCanonicalString();
  }

  private static IPAddress address(String literal, String text) {
    @Nullable IPAddress address =
        LITERAL.matcher(literal).matches()
            ? new IPAddressString(literal, STRICT).getAddress()
            : null;
    if (address == null || address.isMultiple()) {
      throw refused(
          text,
          "is not an IP address; write an IPv4 or IPv6 address such as 203.0.113.7 or 2001:db8::7,"
              + " or a range such as 203.0.113.0/24");
    }
    return address;
  }

  private static int prefix(String digits, int width, String text) {
    if (!PREFIX.matcher(digits).matches() || Integer.parseInt(digits) > width) {
      throw refused(text, "needs a prefix length of 0 to " + width + " after its slash");
    }
    return Integer.parseInt(digits);
  }

  private static IllegalArgumentException refused(String text, String why) {
    return new IllegalArgumentException(PlainText.quoted(text) + " " + why);
  }

  private static IPAddressStringParameters strict() {
    IPAddressStringParameters.Builder builder =
        new IPAddressStringParameters.Builder()
            .allowEmpty(false)
            .setEmptyAsLoopback(false)
            .allowAll(false)
            .allowSingleSegment(false)
            .allowPrefix(false)
            .allowMask(false)
            .allowPrefixOnly(false)
            .allowWildcardedSeparator(false)
            .allow_inet_aton(false)
            .setRangeOptions(RangeParameters.NO_RANGE);
    builder.getIPv4AddressParametersBuilder().allowLeadingZeros(false).allowBinary(false);
    builder
        .getIPv6AddressParametersBuilder()
        .allowZone(false)
        .allowBase85(false)
        .allow_mixed_inet_aton(false)
        .allowUnlimitedLeadingZeros(false)
        .allowBinary(false);
    builder
        .getIPv6AddressParametersBuilder()
        .getEmbeddedIPv4AddressParametersBuilder()
        .allowLeadingZeros(false)
        .allowBinary(false);
    return builder.toParams();
  }

  /** The 128 bits of an address, with IPv4 mapped into IPv6. */
  record Bits(long high, long low) {

    /** Converts 4 or 16 bytes in network order. */
    static Bits of(byte[] address) {
      ByteBuffer bytes = ByteBuffer.wrap(address);
      return switch (address.length) {
        case 4 -> new Bits(0, MAPPED | Integer.toUnsignedLong(bytes.getInt()));
        case 16 -> new Bits(bytes.getLong(), bytes.getLong());
        default ->
            throw new IllegalArgumentException(
                "an IP address is 4 or 16 bytes, was " + address.length);
      };
    }

    boolean isIpv4() {
      return high == 0 && low >>> 32 == 0xFFFF;
    }
  }
}
