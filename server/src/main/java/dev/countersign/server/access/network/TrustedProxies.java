package dev.countersign.server.access.network;

import dev.countersign.protocol.PlainText;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Finds the address and the scheme of a caller, even behind proxies.
 *
 * <p>If the socket's peer is not a trusted proxy, it is the caller. Otherwise X-Forwarded-For is
 * read from right to left, and the first address that does not belong to a trusted proxy is the
 * caller's. Each proxy appends the address that it saw, so the caller may have invented every
 * address further left.
 */
public final class TrustedProxies {
  private final NetworkWhitelist proxies;
  private final boolean anyTrusted;

  /**
   * Reads the setting {@code access.trusted-proxies}.
   *
   * @throws IllegalArgumentException if the setting trusts everyone
   */
  public TrustedProxies(List<String> trustedProxies) {
    anyTrusted = !trustedProxies.isEmpty();
    // A whitelist needs at least one entry. This entry is not used if the setting is empty.
    proxies = NetworkWhitelist.parse(anyTrusted ? trustedProxies : List.of("127.0.0.1"));
    for (String entry : trustedProxies) {
      if (entry.equals("0.0.0.0") || entry.endsWith("/0")) {
        throw new IllegalArgumentException(
            "access.trusted-proxies must name the proxies; "
                + PlainText.quoted(entry)
                + " would trust every caller");
      }
    }
  }

  /**
   * The origin of a request.
   *
   * @param address the caller's address
   * @param scheme {@code http} or {@code https}, as the caller used it
   */
  public record Origin(InetAddress address, String scheme) {}

  /**
   * Returns the origin of a request.
   *
   * @throws DeniedException {@link Reason#REQUEST_MALFORMED} if a trusted proxy's header is
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
            Reason.REQUEST_MALFORMED, "X-Forwarded-For must contain only IP addresses");
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

  /** Returns the comma-separated elements of all lines of a field, in their order. */
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
