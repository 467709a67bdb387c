package dev.countersign.server.access.network;

import dev.countersign.protocol.PlainText;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the address and the scheme of a caller, even behind proxies.
 *
 * <p>If the socket's peer is not a trusted proxy, it is the caller. Otherwise the elements of
 * X-Forwarded-For are read from right to left, and the first one that is not the address of a
 * trusted proxy decides. If all are trusted, the leftmost decides. Each proxy appends the address
 * that it saw, so the caller may have invented everything to the left of the deciding element: that
 * part is never parsed.
 *
 * <p>If the deciding element is empty or unreadable, the request is refused. Only empty elements at
 * the left end of the list count as absent.
 */
public final class TrustedProxies {
  private static final Logger LOG = LoggerFactory.getLogger(TrustedProxies.class);

  private static final String SETTING = "access.trusted-proxies";
  private static final String FOR = "X-Forwarded-For";
  private static final String PROTO = "X-Forwarded-Proto";

  private final @Nullable NetworkWhitelist proxies;

  /**
   * Reads the setting {@code access.trusted-proxies}. Logs a warning if it trusts more public IPv4
   * addresses than a /8 contains.
   *
   * @param trustedProxies addresses and ranges; empty to trust no proxy
   * @throws IllegalArgumentException if an entry is refused, or if the entries together trust
   *     everyone
   */
  public TrustedProxies(List<String> trustedProxies) {
    if (trustedProxies.isEmpty()) {
      proxies = null;
      return;
    }
    proxies = NetworkWhitelist.parse(SETTING, trustedProxies);
    if (proxies.opensToEveryone()) {
      throw new IllegalArgumentException(
          SETTING
              + " must name the proxies; "
              + PlainText.quoted(String.join(", ", trustedProxies))
              + " would trust every caller");
    }
    if (proxies.hasManyPublicAddresses()) {
      LOG.warn(
          "{} trusts {} public IPv4 addresses; each of them can claim to be any caller: name only"
              + " the proxies",
          SETTING,
          String.format(Locale.ROOT, "%,d", proxies.publicIpv4Addresses()));
    }
  }

  /**
   * Returns the caller's address.
   *
   * @throws DeniedException {@link Reason#REQUEST_MALFORMED} if the deciding element of
   *     X-Forwarded-For is empty or unreadable
   */
  public InetAddress addressOf(HttpServletRequest request) {
    return caller(request).address();
  }

  /**
   * Returns the scheme that the caller used. Behind a trusted proxy, X-Forwarded-Proto gives it. If
   * all its elements are equal, they are the scheme. Otherwise it must have as many elements as
   * X-Forwarded-For, and the element at the same index as the one that decides the caller's address
   * is the scheme.
   *
   * @return {@code http} or {@code https}
   * @throws DeniedException {@link Reason#REQUEST_MALFORMED} if X-Forwarded-Proto is anything else,
   *     or if the caller's address cannot be decided
   */
  public String schemeOf(HttpServletRequest request) {
    if (!isTrusted(peer(request))) {
      return request.getScheme();
    }
    List<String> schemes = elements(request, PROTO);
    if (schemes.isEmpty()) {
      return request.getScheme();
    }
    String scheme = decidingScheme(schemes, request).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw malformed(PROTO + " of a proxy must be http or https", PROTO, schemes);
    }
    return scheme;
  }

  private static InetAddress peer(HttpServletRequest request) {
    return AddressLiteral.ofPeer(request.getRemoteAddr());
  }

  private boolean isTrusted(InetAddress address) {
    return proxies != null && proxies.allows(address);
  }

  /**
   * The caller according to the headers.
   *
   * @param place the index of the element of X-Forwarded-For that decided; -1 if the peer did
   * @param elements the number of elements of X-Forwarded-For
   */
  private record Caller(InetAddress address, int place, int elements) {}

  private Caller caller(HttpServletRequest request) {
    InetAddress peer = peer(request);
    if (!isTrusted(peer)) {
      return new Caller(peer, -1, 0);
    }
    List<String> hops = elements(request, FOR);
    Caller caller = new Caller(peer, -1, hops.size());
    int first = firstPresent(hops);
    for (int i = hops.size() - 1; i >= first && isTrusted(caller.address()); i--) {
      caller = new Caller(address(hops, i), i, hops.size());
    }
    return caller;
  }

  private static int firstPresent(List<String> hops) {
    int first = 0;
    while (first < hops.size() && hops.get(first).isEmpty()) {
      first++;
    }
    return first;
  }

  private static InetAddress address(List<String> hops, int place) {
    try {
      return AddressLiteral.ofForwarded(hops.get(place));
    } catch (IllegalArgumentException e) {
      throw malformed(
          FOR
              + " of a proxy is unreadable at the element that decides the caller's address; it must"
              + " be an IP address, which may have a port",
          FOR,
          hops.subList(place, place + 1));
    }
  }

  private String decidingScheme(List<String> schemes, HttpServletRequest request) {
    if (schemes.stream().allMatch(schemes.get(0)::equalsIgnoreCase)) {
      return schemes.get(0);
    }
    Caller caller = caller(request);
    if (caller.place() < 0 || caller.elements() != schemes.size()) {
      throw malformed(
          PROTO
              + " of a proxy must have one element, equal elements, or one element for each of "
              + FOR,
          PROTO,
          schemes);
    }
    return schemes.get(caller.place());
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

  /** Returns a refusal; its note shows the operator the value, which a proxy wrote. */
  private static DeniedException malformed(String detail, String field, List<String> value) {
    return Denial.of(Reason.REQUEST_MALFORMED, detail)
        .withNote(field + " has " + PlainText.quoted(String.join(", ", value)))
        .asException();
  }
}
