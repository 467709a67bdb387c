package dev.countersign.server.portal.signin;

import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.operators.signin.OpenIdAttemptLimiter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits how many OpenID sign-ins one network can begin. Requests within the limit are passed on
 * with the scheme that the browser used, even behind trusted proxies.
 */
final class OpenIdRateLimitFilter extends OncePerRequestFilter {
  private final RequestMatcher begins =
      PathPatternRequestMatcher.withDefaults().matcher(OpenIdProvider.BEGIN + "/*");
  private final OpenIdAttemptLimiter limiter;
  private final TrustedProxies trustedProxies;

  OpenIdRateLimitFilter(OpenIdAttemptLimiter limiter, TrustedProxies trustedProxies) {
    this.limiter = limiter;
    this.trustedProxies = trustedProxies;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !begins.matches(request);
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Duration wait = limiter.tryBegin(trustedProxies.addressOf(request));
    if (wait.isZero()) {
      chain.doFilter(new BrowserSchemeRequest(request, trustedProxies.schemeOf(request)), response);
    } else {
      long seconds = wait.plusMillis(999).toSeconds();
      response.sendRedirect(PortalSecurity.SIGN_IN + "?wait=" + seconds);
    }
  }

  /**
   * A request with the scheme that the browser used. Spring builds the redirect URI from this
   * scheme.
   */
  private static final class BrowserSchemeRequest extends HttpServletRequestWrapper {
    private final String scheme;

    BrowserSchemeRequest(HttpServletRequest request, String scheme) {
      super(request);
      this.scheme = scheme;
    }

    @Override
    public String getScheme() {
      return scheme;
    }

    @Override
    public boolean isSecure() {
      return scheme.equals("https");
    }

    /** Returns the standard port of the browser's scheme if the Host header has no port. */
    @Override
    public int getServerPort() {
      int port = super.getServerPort();
      return port == standardPort(super.getScheme()) ? standardPort(scheme) : port;
    }

    private static int standardPort(String scheme) {
      return scheme.equals("https") ? 443 : 80;
    }
  }
}
