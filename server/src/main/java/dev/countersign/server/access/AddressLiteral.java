package dev.countersign.server.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Reads an address that is written out, and never asks a name server. */
final class AddressLiteral {
  // No leading zero: some read such a number as octal, others as decimal.
  private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
  private static final Pattern IPV6 =
      Pattern.compile("(?=[0-9a-fA-F:]*:)[0-9a-fA-F:][0-9a-fA-F:.]{1,44}");

  private AddressLiteral() {}

  /**
   * The address of a literal.
   *
   * @throws IllegalArgumentException when the text is anything but an IPv4 or IPv6 literal
   */
  static InetAddress parse(String text) {
    if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
      throw new IllegalArgumentException("not an address");
    }
    try {
      // Only literals come here, which InetAddress reads without a look-up: an IPv4 address in
      // full, or a text with a colon behind a digit or a colon.
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not an address", e);
    }
  }

  /**
   * The address of a socket's peer as the engine writes it: a link-local one comes with the zone it
   * was reached through, which is this machine's name for the link and no part of the address (RFC
   * 4007 section 11.2).
   */
  static InetAddress ofPeer(String text) {
    int zone = text.indexOf('%');
    return parse(zone < 0 ? text : text.substring(0, zone));
  }
}
