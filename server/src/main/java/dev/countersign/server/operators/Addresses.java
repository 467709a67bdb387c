package dev.countersign.server.operators;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/** Converts network addresses for sign-ins. */
public final class Addresses {
  // The first 64 bits of an IPv6 address.
  private static final int NETWORK_BYTES = 8;

  private Addresses() {}

  /** Returns the address as text, without an IPv6 zone. */
  public static String text(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }

  /** Returns the network that counts as one caller, in hex: the IPv4 address or the IPv6 /64. */
  public static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet4Address ? bytes : Arrays.copyOf(bytes, NETWORK_BYTES));
  }
}
