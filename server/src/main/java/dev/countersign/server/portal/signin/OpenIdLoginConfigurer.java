package dev.countersign.server.portal.signin;

import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.http.PortalServlet;
import dev.countersign.server.operators.OpenIdIdentity;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.signin.AuthorizationRequestStore;
import dev.countersign.server.operators.signin.OpenIdAccounts;
import dev.countersign.server.operators.signin.OpenIdAttemptLimiter;
import dev.countersign.server.operators.signin.SignInException;
import dev.countersign.server.portal.LogLimit;
import dev.countersign.server.portal.OpenIdProperties;
import dev.countersign.server.portal.PortalProperties;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Clock;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2LoginAuthenticationFilter;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.filter.RequestContextFilter;

/**
 * Configures sign-in by OpenID Connect, if the settings enable it. The provider identifies the
 * person, and the person's groups determine the role.
 */
@Component
final class OpenIdLoginConfigurer {
  private static final Logger log = LoggerFactory.getLogger(OpenIdLoginConfigurer.class);
  private static final String NO_ROLE = "no_role";
  private static final String FAILED = PortalSecurity.SIGN_IN + "?openid-failed";

  private final @Nullable OpenIdProperties properties;
  private final PortalProperties portal;
  private final TrustedProxies trustedProxies;
  private final OpenIdAccounts accounts;
  private final AuthorizationRequestStore pending;
  private final Clock clock;
  private final OidcUserService users = OpenIdRequests.STANDARD.users();
  private final LogLimit unreachable = new LogLimit();
  private final LogLimit unclaimed = new LogLimit();

  OpenIdLoginConfigurer(
      PortalProperties portal,
      TrustedProxies trustedProxies,
      OpenIdAccounts accounts,
      AuthorizationRequestStore pending,
      Clock clock) {
    this.portal = portal;
    this.properties = portal.openid();
    this.trustedProxies = trustedProxies;
    this.accounts = accounts;
    this.pending = pending;
    this.clock = clock;
  }

  void addTo(HttpSecurity http) {
    if (properties == null) {
      return;
    }
    OpenIdProvider provider =
        new OpenIdProvider(
            properties, portal.publicUrl(), OpenIdRequests.STANDARD::describe, clock);
    http.addFilterBefore(
        new OpenIdRateLimitFilter(new OpenIdAttemptLimiter(clock), trustedProxies),
        OAuth2AuthorizationRequestRedirectFilter.class);
    // The user service receives only the provider's answer as a parameter. This filter also gives
    // it access to the current request.
    http.addFilterBefore(new RequestContextFilter(), OAuth2LoginAuthenticationFilter.class);
    http.oauth2Login(
        login ->
            login
                .loginPage(PortalSecurity.SIGN_IN)
                .withObjectPostProcessor(new UnreachableProviderReport())
                .clientRegistrationRepository(provider)
                .authorizedClientRepository(new DiscardingAuthorizedClientRepository())
                .authorizationEndpoint(
                    begin ->
                        begin
                            .baseUri(OpenIdProvider.BEGIN)
                            .authorizationRequestRepository(
                                new StoredAuthorizationRequestRepository(pending, provider)))
                .redirectionEndpoint(end -> end.baseUri(OpenIdProvider.CALLBACK))
                .tokenEndpoint(
                    token -> token.accessTokenResponseClient(OpenIdRequests.STANDARD.tokens()))
                .userInfoEndpoint(info -> info.oidcUserService(this::operator))
                .defaultSuccessUrl(PortalServlet.PATH, true)
                .failureHandler(this::onCallbackFailure));
  }

  private OidcUser operator(OidcUserRequest request) {
    OpenIdProperties settings = Objects.requireNonNull(properties);
    OidcUser user = users.loadUser(request);
    OpenIdIdentity identity =
        new OpenIdIdentity(settings.issuer().toString(), subject(user), name(user));
    Optional<OperatorRole> role = roleOf(user, settings);
    if (role.isEmpty()) {
      accounts.refuse(identity, caller());
      throw noRole();
    }
    try {
      return new OpenIdOperator(user, accounts.signIn(identity, role.get(), caller()));
    } catch (SignInException disabled) {
      throw noRole();
    }
  }

  private InetAddress caller() {
    ServletRequestAttributes current =
        (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
    return trustedProxies.addressOf(current.getRequest());
  }

  private static Optional<OperatorRole> roleOf(OidcUser user, OpenIdProperties settings) {
    var groups = groups(user, settings.groupsClaim());
    if (groups.stream().anyMatch(settings.administrators()::contains)) {
      return Optional.of(OperatorRole.ADMINISTRATOR);
    }
    return groups.stream().anyMatch(settings.viewers()::contains)
        ? Optional.of(OperatorRole.VIEWER)
        : Optional.empty();
  }

  private static String name(OidcUser user) {
    return Optional.ofNullable(user.getPreferredUsername())
        .or(() -> Optional.ofNullable(user.getEmail()))
        .or(() -> Optional.ofNullable(user.getFullName()))
        .orElseGet(() -> subject(user));
  }

  /**
   * Returns the subject, which OpenID Connect Core 1.0 section 2 requires. Spring Security has
   * checked that it is present.
   */
  private static String subject(OidcUser user) {
    return Objects.requireNonNull(user.getSubject());
  }

  private static OAuth2AuthenticationException noRole() {
    return new OAuth2AuthenticationException(NO_ROLE);
  }

  /**
   * Answers a callback that failed. Logs every failure of a claimed sign-in. Anybody can call the
   * callback any number of times without claiming one, so such failures are logged at most once a
   * minute. A provider that cannot be reached has its own minute.
   */
  private void onCallbackFailure(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException why)
      throws IOException {
    boolean noRole =
        why instanceof OAuth2AuthenticationException e
            && NO_ROLE.equals(e.getError().getErrorCode());
    LogLimit limit = why instanceof AuthenticationServiceException ? unreachable : unclaimed;
    if (!noRole && (StoredAuthorizationRequestRepository.hasClaimed(request) || limit.admits())) {
      logFailure(why);
    }
    response.sendRedirect(noRole ? PortalSecurity.SIGN_IN + "?no-role" : FAILED);
  }

  private static void logFailure(AuthenticationException why) {
    log.warn("a sign-in with OpenID Connect failed: {}", OpenIdFailure.describe(why));
  }

  /** Reports an unreachable provider on the sign-in page, like every other failure. */
  private static final class UnreachableProviderReport
      implements ObjectPostProcessor<OAuth2AuthorizationRequestRedirectFilter> {
    @Override
    public <O extends OAuth2AuthorizationRequestRedirectFilter> O postProcess(O filter) {
      filter.setAuthenticationFailureHandler(
          (request, response, why) -> {
            logFailure(why);
            response.sendRedirect(FAILED);
          });
      return filter;
    }
  }

  /** A person whom the provider has authenticated, with the operator's account. */
  static final class OpenIdOperator extends DefaultOidcUser {
    private static final long serialVersionUID = 1L;

    private final transient Operator operator;

    OpenIdOperator(OidcUser user, Operator operator) {
      super(user.getAuthorities(), user.getIdToken(), user.getUserInfo());
      this.operator = operator;
    }

    Operator operator() {
      return operator;
    }
  }

  /** Reads the groups of a person from a claim: a list of texts, or one text. */
  private static Set<String> groups(OidcUser user, String claim) {
    Object groups = user.getClaims().get(claim);
    if (groups instanceof Collection<?> several) {
      return several.stream().map(String::valueOf).collect(Collectors.toUnmodifiableSet());
    }
    return groups instanceof String one ? Set.of(one) : Set.of();
  }
}
