package dev.countersign.server.access;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Reads an address that is written out, and never asks a name server. */
final class AddressLiteral {
  private AddressLiteral() {}

  /**
   * The address of a literal.
   *
   * @throws IllegalArgumentException when the text is anything but an IPv4 or IPv6 literal
   */
  static InetAddress parse(String text) {
    boolean ipv6 = text.indexOf(':') >= 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean digit = c >= '0' && c <= '9';
      boolean hex = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ':';
      if (!digit && c != '.' && !(ipv6 && hex)) {
        throw new IllegalArgumentException("not an address");
      }
    }
    if (!ipv6 && !isDottedQuad(text)) {
      throw new IllegalArgumentException("not an address");
    }
    try {
      // Only literals come here, which InetAddress reads without a look-up.
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not an address", e);
    }
  }

  private static boolean isDottedQuad(String text) {
    int dots = 0;
    for (int i = 0; i < text.length(); i++) {
      dots += text.charAt(i) == '.' ? 1 : 0;
    }
    return dots == 3 && !text.startsWith(".") && !text.endsWith(".") && !text.contains("..");
  }
}
