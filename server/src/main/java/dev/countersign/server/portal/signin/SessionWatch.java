package dev.countersign.server.portal.signin;

import dev.countersign.server.operators.sessions.SessionLookup;
import dev.countersign.server.operators.sessions.SessionStore;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/** Checks whether a session is still valid, for answers that may last longer than the session. */
@Component
public final class SessionWatch {
  private final SessionStore sessions;

  SessionWatch(SessionStore sessions) {
    this.sessions = sessions;
  }

  /**
   * Returns a check of the session that a request belongs to. Each check queries the database and
   * does not extend the session. Checks also work after the request has ended.
   */
  public BooleanSupplier of(HttpServletRequest request) {
    String token = PortalCookie.SESSION.of(request).orElse("");
    return () -> sessions.find(token, SessionLookup.BACKGROUND).isPresent();
  }
}
