package dev.countersign.server.portal.signin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;

/** Sends a browser without a session to the sign-in page, and back afterwards. */
final class SignInEntryPoint implements AuthenticationEntryPoint {

  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException refused)
      throws IOException {
    if (request.getHeader("HX-Request") != null) {
      // A script requested a part of a page, but the sign-in page must replace the whole page.
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
      response.setHeader("HX-Redirect", PortalSecurity.SIGN_IN);
      return;
    }
    response.sendRedirect(
        request.getMethod().equals("GET")
            ? new Destination(request).signIn()
            : PortalSecurity.SIGN_IN);
  }
}
