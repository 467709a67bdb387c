package dev.countersign.server.access;

import jakarta.servlet.ServletRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is noted of a request on its way, for its log line and its problem document. */
final class RequestFacts {
  private static final String PREFIX = RequestFacts.class.getName() + '.';
  private static final String ID = PREFIX + "id";
  private static final String CLIENT = PREFIX + "client";
  private static final String DENIAL = PREFIX + "denial";

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

  private static Optional<String> text(@Nullable Object attribute) {
    return Optional.ofNullable(attribute).map(Object::toString);
  }
}
