package dev.countersign.server.portal.signin;

import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.sessions.OperatorSession;
import dev.countersign.server.operators.sessions.SessionActivity;
import dev.countersign.server.operators.sessions.SessionStore;
import dev.countersign.server.operators.sessions.SessionStore.NewSession;
import dev.countersign.server.operators.signin.SignInException;
import dev.countersign.server.portal.Portal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.authentication.logout.LogoutHandler;
import org.springframework.security.web.context.HttpRequestResponseHolder;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.stereotype.Component;

/**
 * Looks up the session of the cookie in the database at each request. After a session was ended on
 * any node, or its account was disabled, the next request of the session is refused.
 *
 * <p>Each sign-in creates a new random token and ends the session that the browser had before.
 */
@Component
final class SessionCookie implements SecurityContextRepository, LogoutHandler {
  private static final Logger log = LoggerFactory.getLogger(SessionCookie.class);

  private final SessionStore sessions;
  private final TrustedProxies trustedProxies;

  SessionCookie(SessionStore sessions, TrustedProxies trustedProxies) {
    this.sessions = sessions;
    this.trustedProxies = trustedProxies;
  }

  @Override
  @Deprecated
  public SecurityContext loadContext(HttpRequestResponseHolder holder) {
    return load(holder.getRequest());
  }

  /** Called for each request, including assets, so it does not query the database. */
  @Override
  public boolean containsContext(HttpServletRequest request) {
    return PortalCookie.SESSION.of(request).isPresent();
  }

  private SecurityContext load(HttpServletRequest request) {
    @Nullable Authentication signedIn =
        PortalCookie.SESSION
            .of(request)
            .flatMap(token -> sessions.find(token, activity(request)))
            .map(OperatorSession::operator)
            .map(OperatorAuthentication::new)
            .orElse(null);
    return signedIn == null ? new SecurityContextImpl() : new SecurityContextImpl(signedIn);
  }

  /** Requests that a page makes by itself do not extend the session. */
  private static SessionActivity activity(HttpServletRequest request) {
    return Portal.isMadeByPage(request) ? SessionActivity.BACKGROUND : SessionActivity.USER;
  }

  @Override
  public void saveContext(
      SecurityContext context, HttpServletRequest request, HttpServletResponse response) {
    Authentication signedIn = context.getAuthentication();
    Object principal = signedIn == null ? null : signedIn.getPrincipal();
    if (principal instanceof Operator operator) {
      start(operator, request, response);
    } else if (principal instanceof OpenIdLoginConfigurer.OpenIdOperator openIdOperator) {
      start(openIdOperator.operator(), request, response);
    }
  }

  private void start(Operator operator, HttpServletRequest request, HttpServletResponse response) {
    PortalCookie.SESSION.of(request).ifPresent(sessions::end);
    PortalCaller portalCaller = PortalCaller.of(request, trustedProxies);
    try {
      NewSession session =
          sessions.start(operator, portalCaller.address(), portalCaller.userAgent());
      PortalCookie.SESSION.set(session.token(), response);
    } catch (SignInException changed) {
      // The account was disabled or its password changed after the sign-in was checked. No cookie
      // is set, so nobody is signed in.
      log.debug("an account changed while its operator signed in");
    }
  }

  @Override
  public void logout(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Authentication authentication) {
    PortalCookie.SESSION.of(request).ifPresent(sessions::end);
    PortalCookie.SESSION.clear(response);
  }
}
