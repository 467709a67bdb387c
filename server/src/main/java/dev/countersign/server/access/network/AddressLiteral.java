package dev.countersign.server.access.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses address literals, without name look-ups. */
final class AddressLiteral {
  // No leading zeros: some software reads such numbers as octal, other software as decimal.
  private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
  private static final Pattern IPV6 =
      Pattern.compile("(?=[0-9a-fA-F:]*:)[0-9a-fA-F:][0-9a-fA-F:.]{1,44}");

  private static final Pattern IPV4_AND_PORT =
      Pattern.compile("(?<address>[0-9.]{7,15}):(?<port>[0-9]{1,5})");
  private static final Pattern IPV6_IN_BRACKETS =
      Pattern.compile("\\[(?<address>[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)](?::(?<port>[0-9]{1,5}))?");

  private AddressLiteral() {}

  /**
   * Parses a literal.
   *
   * @throws IllegalArgumentException if the text is not an IPv4 or IPv6 literal
   */
  static InetAddress parse(String text) {
    if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
      throw new IllegalArgumentException("not an address");
    }
    try {
      // InetAddress parses two forms without a look-up: a full IPv4 address, and a text that
      // contains a colon and begins with a hexadecimal digit or a colon.
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not an address", e);
    }
  }

  /**
   * Parses an element of X-Forwarded-For: an address, which may have a port. A port needs dotted
   * IPv4 or brackets: {@code 203.0.113.7:443}, {@code [2001:db8::7]:443}. Brackets may also enclose
   * an address without a port. Without brackets, {@code 2001:db8::7:443} is an address without a
   * port.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  static InetAddress ofForwarded(String text) {
    Matcher ipv4 = IPV4_AND_PORT.matcher(text);
    Matcher ipv6 = IPV6_IN_BRACKETS.matcher(text);
    if (ipv4.matches()) {
      requirePort(ipv4.group("port"));
      return parse(ipv4.group("address"));
    }
    if (ipv6.matches()) {
      requirePort(ipv6.group("port"));
      return parse(ipv6.group("address"));
    }
    return parse(text);
  }

  private static void requirePort(@Nullable String digits) {
    if (digits != null && Integer.parseInt(digits) > 65_535) {
      throw new IllegalArgumentException("not a port");
    }
  }

  /**
   * Parses the address of a socket's peer as the servlet container writes it. A link-local address
   * comes with a zone. The zone names the link on this machine and is not part of the address (RFC
   * 4007 section 11.2).
   */
  static InetAddress ofPeer(String text) {
    int zone = text.indexOf('%');
    return parse(zone < 0 ? text : text.substring(0, zone));
  }
}
