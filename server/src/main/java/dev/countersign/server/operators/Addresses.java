package dev.countersign.server.operators;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;

/** Converts network addresses for sign-ins. */
public final class Addresses {
  private static final int NETWORK_BYTES = 8;

  private Addresses() {}

  /** Returns the address literal without its zone. */
  public static String text(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }

  /** Returns the network that belongs to one caller: an IPv4 address, or an IPv6 /64. */
  public static String network(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet4Address ? bytes : Arrays.copyOf(bytes, NETWORK_BYTES));
  }
}
