package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Who called and by which scheme, where proxies may stand between.
 *
 * <p>The socket's peer is the caller, unless it is a proxy that the operator trusts: then
 * X-Forwarded-For is read from the right, past further trusted proxies, because each proxy appends
 * what it saw and everything further left is the caller's own invention.
 */
public final class Forwarding {
  private final NetworkWhitelist proxies;
  private final boolean anyTrusted;

  /**
   * Reads the setting {@code access.trusted-proxies}.
   *
   * @throws IllegalArgumentException when it trusts everyone
   */
  public Forwarding(List<String> trustedProxies) {
    anyTrusted = !trustedProxies.isEmpty();
    // The whitelist takes at least one entry; without the setting nobody asks it.
    proxies = NetworkWhitelist.parse(anyTrusted ? trustedProxies : List.of("127.0.0.1"));
    for (String entry : trustedProxies) {
      if (entry.equals("0.0.0.0") || entry.endsWith("/0")) {
        throw new IllegalArgumentException(
            "access.trusted-proxies must name the proxies; "
                + Shown.of(entry)
                + " would trust every caller's word");
      }
    }
  }

  /**
   * Where a request comes from.
   *
   * @param address the caller's own address
   * @param scheme {@code http} or {@code https}, as the caller used it
   */
  public record Origin(InetAddress address, String scheme) {}

  /**
   * The origin of a request.
   *
   * @throws DeniedException {@link Reason#REQUEST_MALFORMED} when a trusted proxy's word is
   *     unreadable
   */
  public Origin of(HttpServletRequest request) {
    InetAddress peer = AddressLiteral.ofPeer(request.getRemoteAddr());
    if (!anyTrusted || !proxies.allows(peer)) {
      return new Origin(peer, request.getScheme());
    }
    return new Origin(caller(peer, request), scheme(request));
  }

  private InetAddress caller(InetAddress peer, HttpServletRequest request) {
    List<String> hops = elements(request, "X-Forwarded-For");
    InetAddress caller = peer;
    for (int i = hops.size() - 1; i >= 0 && proxies.allows(caller); i--) {
      try {
        caller = AddressLiteral.parse(hops.get(i));
      } catch (IllegalArgumentException e) {
        throw new DeniedException(
            Reason.REQUEST_MALFORMED, "X-Forwarded-For holds something other than an address");
      }
    }
    return caller;
  }

  private static String scheme(HttpServletRequest request) {
    List<String> schemes = elements(request, "X-Forwarded-Proto");
    if (schemes.isEmpty()) {
      return request.getScheme();
    }
    String scheme = schemes.get(schemes.size() - 1).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new DeniedException(
          Reason.REQUEST_MALFORMED, "X-Forwarded-Proto must be http or https");
    }
    return scheme;
  }

  /** The comma-separated elements of a field over all its lines, in their order. */
  private static List<String> elements(HttpServletRequest request, String field) {
    List<String> elements = new ArrayList<>();
    for (String line : Collections.list(request.getHeaders(field))) {
      for (String element : line.split(",", -1)) {
        elements.add(element.strip());
      }
    }
    return elements;
  }
}
