package dev.countersign.server.access;

import dev.countersign.signatures.SignatureBase;
import jakarta.servlet.ServletRequest;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is noted of a request on its way, for its log line and its problem document. */
final class RequestFacts {
  private static final String PREFIX = RequestFacts.class.getName() + '.';
  private static final String ID = PREFIX + "id";
  private static final String CLIENT = PREFIX + "client";
  private static final String DENIAL = PREFIX + "denial";
  private static final String ADDRESS = PREFIX + "address";
  private static final String CLAIMED = PREFIX + "claimed";
  private static final String OPEN = PREFIX + "open";
  private static final String KEY = PREFIX + "key";
  private static final String BASE = PREFIX + "base";

  private RequestFacts() {}

  static void noteId(ServletRequest request, String id) {
    request.setAttribute(ID, id);
  }

  static Optional<String> id(ServletRequest request) {
    return text(request.getAttribute(ID));
  }

  static void noteClient(ServletRequest request, String clientId) {
    request.setAttribute(CLIENT, clientId);
  }

  static Optional<String> client(ServletRequest request) {
    return text(request.getAttribute(CLIENT));
  }

  static void noteDenial(ServletRequest request, Denial denial) {
    request.setAttribute(DENIAL, denial);
  }

  static Optional<Denial> denial(ServletRequest request) {
    return Optional.ofNullable((Denial) request.getAttribute(DENIAL));
  }

  /** The caller's own address, as {@link Forwarding} finds it. */
  static void noteAddress(ServletRequest request, InetAddress address) {
    request.setAttribute(ADDRESS, address);
  }

  static Optional<InetAddress> address(ServletRequest request) {
    return Optional.ofNullable((InetAddress) request.getAttribute(ADDRESS));
  }

  /** The client that it names may call, and may call from where it comes. */
  static void noteClaimed(ServletRequest request) {
    request.setAttribute(CLAIMED, true);
  }

  static boolean isClaimed(ServletRequest request) {
    return request.getAttribute(CLAIMED) != null;
  }

  /** It asked for what anybody may read. */
  static void noteOpen(ServletRequest request) {
    request.setAttribute(OPEN, true);
  }

  static boolean isOpen(ServletRequest request) {
    return request.getAttribute(OPEN) != null;
  }

  /** Check 7 has passed with this key. */
  static void noteVerified(ServletRequest request, RegisteredClient.Key key) {
    request.setAttribute(KEY, key);
  }

  static Optional<RegisteredClient.Key> verifiedKey(ServletRequest request) {
    return Optional.ofNullable((RegisteredClient.Key) request.getAttribute(KEY));
  }

  /** The base of a signature that did not verify. */
  static void noteSignatureBase(ServletRequest request, SignatureBase base) {
    request.setAttribute(BASE, base);
  }

  static Optional<SignatureBase> signatureBase(ServletRequest request) {
    return Optional.ofNullable((SignatureBase) request.getAttribute(BASE));
  }

  private static Optional<String> text(@Nullable Object attribute) {
    return Optional.ofNullable(attribute).map(Object::toString);
  }
}
