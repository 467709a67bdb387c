package dev.countersign.server.access.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Parses address literals, without name look-ups. */
final class AddressLiteral {
  // No leading zeros: some software reads such numbers as octal, other software as decimal.
  private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
  private static final Pattern IPV6 =
      Pattern.compile("(?=[0-9a-fA-F:]*:)[0-9a-fA-F:][0-9a-fA-F:.]{1,44}");

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
   * Parses the address of a socket's peer as the servlet container writes it. A link-local address
   * comes with a zone. The zone names the link on this machine and is not part of the address (RFC
   * 4007 section 11.2).
   */
  static InetAddress ofPeer(String text) {
    int zone = text.indexOf('%');
    return parse(zone < 0 ? text : text.substring(0, zone));
  }
}
