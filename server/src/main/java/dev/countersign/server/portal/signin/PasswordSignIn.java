package dev.countersign.server.portal.signin;

import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.operators.signin.SignIn;
import dev.countersign.server.operators.signin.SignIn.SignedIn;
import dev.countersign.server.operators.signin.SignInException;
import dev.countersign.server.portal.PortalProperties;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.stereotype.Component;

/** Connects sign-in by name and password to Spring Security. */
@Component
final class PasswordSignIn {
  private final SignIn signIn;
  private final TrustedProxies trustedProxies;
  private final boolean enabled;

  PasswordSignIn(SignIn signIn, TrustedProxies trustedProxies, PortalProperties properties) {
    this.signIn = signIn;
    this.trustedProxies = trustedProxies;
    this.enabled = properties.passwords();
  }

  void addTo(HttpSecurity http) {
    if (enabled) {
      http.authenticationProvider(new PasswordProvider())
          .formLogin(
              form ->
                  form.loginPage(PortalSecurity.SIGN_IN)
                      .usernameParameter("name")
                      .authenticationDetailsSource(this::attempt)
                      .successHandler(
                          (request, response, signedIn) -> onSuccess(signedIn, response, request))
                      .failureHandler(
                          (request, response, why) -> onFailure(why, response, request)));
    }
  }

  /** The details of an attempt besides name and password. */
  private record Attempt(InetAddress address, @Nullable String device) {}

  private Attempt attempt(HttpServletRequest request) {
    return new Attempt(
        PortalCaller.of(request, trustedProxies).address(),
        PortalCookie.DEVICE.of(request).orElse(null));
  }

  /**
   * Design note: this is not a bean. For a bean, Spring Security would create a second manager and
   * call the provider again after each refusal. Each refusal would then compute two password hashes
   * and count as two attempts.
   */
  private final class PasswordProvider implements AuthenticationProvider {
    @Override
    public Authentication authenticate(Authentication attempt) {
      Attempt details = (Attempt) Objects.requireNonNull(attempt.getDetails());
      try {
        SignedIn success =
            signIn.password(
                attempt.getName(),
                String.valueOf(attempt.getCredentials()),
                details.address(),
                details.device());
        OperatorAuthentication signedIn = new OperatorAuthentication(success.operator());
        signedIn.setDetails(success);
        return signedIn;
      } catch (SignInException e) {
        throw new Refused(e);
      }
    }

    @Override
    public boolean supports(Class<?> attempt) {
      return UsernamePasswordAuthenticationToken.class.isAssignableFrom(attempt);
    }
  }

  private static void onSuccess(
      Authentication signedIn, HttpServletResponse response, HttpServletRequest request)
      throws IOException {
    if (signedIn.getDetails() instanceof SignedIn success) {
      PortalCookie.DEVICE.set(success.deviceToken(), SignIn.DEVICE_LIFETIME, response);
    }
    response.sendRedirect(Destination.named(request.getParameter(Destination.PARAMETER)).page());
  }

  private static void onFailure(
      AuthenticationException why, HttpServletResponse response, HttpServletRequest request)
      throws IOException {
    String page = Destination.named(request.getParameter(Destination.PARAMETER)).signIn();
    String parameter = why instanceof Refused refused ? refused.queryParameter() : "refused";
    response.sendRedirect(page + (page.contains("?") ? "&" : "?") + parameter);
  }

  /** A refusal as an exception of Spring Security. */
  private static final class Refused extends AuthenticationException {
    private static final long serialVersionUID = 1L;

    private final transient SignInException cause;

    Refused(SignInException cause) {
      super("refused", cause);
      this.cause = cause;
    }

    String queryParameter() {
      return switch (cause.reason()) {
        case REFUSED -> "refused";
        case SLOWED -> "wait=" + Math.max(1, cause.retryAfter().toSeconds());
        case BUSY -> "busy";
      };
    }
  }
}
