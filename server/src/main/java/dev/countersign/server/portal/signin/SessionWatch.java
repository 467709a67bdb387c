package dev.countersign.server.portal.signin;

import dev.countersign.server.operators.Activity;
import dev.countersign.server.operators.OperatorSessions;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/** Tells of a sign-in whether it is still good, for answers that go on for longer than that. */
@Component
public final class SessionWatch {
  private final OperatorSessions sessions;

  SessionWatch(OperatorSessions sessions) {
    this.sessions = sessions;
  }

  /**
   * Asks the database about the sign-in by which a request came, each time anew. To ask keeps no
   * session alive. It outlives the request.
   */
  public BooleanSupplier of(HttpServletRequest request) {
    String token = Cookies.SESSION.of(request).orElse("");
    return () -> sessions.find(token, Activity.BACKGROUND).isPresent();
  }
}
