package dev.countersign.server.portal.signin;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;

/**
 * The portal's cookies. Because of their prefix, a browser accepts them only from this host over a
 * secure connection (RFC 6265bis section 4.1.3.2).
 */
enum PortalCookie {
  /** The token of the session; deleted when the browser is closed. */
  SESSION("__Host-countersign-session"),
  /** Marks a browser that has signed in to an account before. */
  DEVICE("__Host-countersign-device"),
  /** Ties an OpenID Connect sign-in to the browser that began it. */
  OPENID("__Host-countersign-openid"),
  /** The token that each form has to repeat. */
  CSRF("__Host-countersign-csrf");

  private final String cookieName;

  PortalCookie(String cookieName) {
    this.cookieName = cookieName;
  }

  String cookieName() {
    return cookieName;
  }

  Optional<String> of(HttpServletRequest request) {
    if (request.getCookies() == null) {
      return Optional.empty();
    }
    for (Cookie cookie : request.getCookies()) {
      if (cookie.getName().equals(cookieName) && !cookie.getValue().isEmpty()) {
        return Optional.of(cookie.getValue());
      }
    }
    return Optional.empty();
  }

  /** Sets the cookie until the browser is closed. */
  void set(String value, HttpServletResponse response) {
    response.addHeader(HttpHeaders.SET_COOKIE, hardened(value).build().toString());
  }

  void set(String value, Duration lifetime, HttpServletResponse response) {
    response.addHeader(HttpHeaders.SET_COOKIE, hardened(value).maxAge(lifetime).build().toString());
  }

  void clear(HttpServletResponse response) {
    set("", Duration.ZERO, response);
  }

  // Lax, so that links to the portal from e-mails work. Every change is a POST with a CSRF token.
  private ResponseCookie.ResponseCookieBuilder hardened(String value) {
    return ResponseCookie.from(cookieName, value)
        .path("/")
        .secure(true)
        .httpOnly(true)
        .sameSite("Lax");
  }
}
