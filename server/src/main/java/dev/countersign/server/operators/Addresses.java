package dev.countersign.server.operators;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/** Network addresses as accounts need them. */
final class Addresses {
  private static final int NETWORK_BYTES = 8;

  private Addresses() {}

  /** The literal, without the zone by which this machine reached it. */
  static String text(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }

  /** What one caller has: an IPv4 address, or an IPv6 network of 64 bits. */
  static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet4Address ? bytes : Arrays.copyOf(bytes, NETWORK_BYTES));
  }
}
