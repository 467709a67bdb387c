package dev.countersign.server.portal.signin;

import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.http.PortalServlet;
import dev.countersign.server.portal.Portal;
import dev.countersign.server.portal.PortalUrl;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.BeanIds;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.firewall.DefaultRequestRejectedHandler;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.web.filter.CompositeFilter;

/** The access rules of the portal. Everything is forbidden unless a rule allows it. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
class PortalSecurity {
  static final String SIGN_IN = PortalServlet.PATH + "/sign-in";
  static final String SIGN_OUT = PortalServlet.PATH + "/sign-out";

  private static final String ADMINISTRATOR = "ADMINISTRATOR";
  private static final String VIEWER = "VIEWER";

  /** The filters that a request passes before it reaches a controller. */
  @Bean(Portal.FILTERS)
  Filter filters(
      @Qualifier(BeanIds.SPRING_SECURITY_FILTER_CHAIN) Filter security, PlainPages pages) {
    CompositeFilter filters = new CompositeFilter();
    filters.setFilters(List.of(PortalHeaders.filter(), new PlainErrorFilter(pages), security));
    return filters;
  }

  /** Rethrows the firewall's refusals, so that {@link PlainErrorFilter} sends an error page. */
  @Bean
  RequestRejectedHandler rejected() {
    return new DefaultRequestRejectedHandler();
  }

  @Bean
  SecurityFilterChain securityFilterChain(
      HttpSecurity http,
      SessionCookie session,
      TrustedProxies trustedProxies,
      PlainPages pages,
      PortalUrl portalUrl,
      PasswordSignIn passwords,
      OpenIdLoginConfigurer openid)
      throws Exception {
    http.addFilterBefore(new InsecureOriginFilter(trustedProxies, pages), CsrfFilter.class);
    http.addFilterBefore(new CrossOriginFilter(portalUrl, pages), CsrfFilter.class);
    http.securityContext(context -> context.securityContextRepository(session))
        .sessionManagement(none -> none.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .csrf(csrf -> csrf.csrfTokenRepository(csrfCookie()))
        // PortalHeaders writes the headers, even for requests that end before this chain.
        .headers(AbstractHttpConfigurer::disable)
        .authorizeHttpRequests(PortalSecurity::rules)
        .exceptionHandling(
            refused ->
                refused
                    .authenticationEntryPoint(new SignInEntryPoint())
                    .accessDeniedHandler(forbidden(pages)))
        .logout(
            logout ->
                logout
                    .logoutUrl(SIGN_OUT)
                    .addLogoutHandler(session)
                    .logoutSuccessUrl(SIGN_IN + "?signed-out"));
    passwords.addTo(http);
    openid.addTo(http);
    return http.build();
  }

  private static void rules(
      AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry
          requests) {
    String portal = PortalServlet.PATH;
    requests
        .requestMatchers(portal + "/assets/**", SIGN_IN, portal + "/setup")
        .permitAll()
        // Viewers may send this form too, because a comparison changes nothing.
        .requestMatchers(HttpMethod.POST, portal + "/requests/*/comparison")
        .hasAnyRole(ADMINISTRATOR, VIEWER)
        .requestMatchers(HttpMethod.POST, portal + "/account/**")
        .hasAnyRole(ADMINISTRATOR, VIEWER)
        .requestMatchers(portal + "/operators/**")
        .hasRole(ADMINISTRATOR)
        .requestMatchers(HttpMethod.GET, portal, portal + "/**")
        .hasAnyRole(ADMINISTRATOR, VIEWER)
        .requestMatchers(HttpMethod.HEAD, portal, portal + "/**")
        .hasAnyRole(ADMINISTRATOR, VIEWER)
        .anyRequest()
        .hasRole(ADMINISTRATOR);
  }

  /**
   * Keeps the CSRF token in a cookie that no other origin can set or read. Each form repeats the
   * token.
   */
  private static CookieCsrfTokenRepository csrfCookie() {
    CookieCsrfTokenRepository tokens = new CookieCsrfTokenRepository();
    tokens.setCookieName(PortalCookie.CSRF.cookieName());
    tokens.setCookiePath("/");
    tokens.setCookieCustomizer(cookie -> cookie.secure(true).httpOnly(true).sameSite("Lax"));
    return tokens;
  }

  private static AccessDeniedHandler forbidden(PlainPages pages) {
    return (request, response, denied) ->
        pages.send(
            HttpServletResponse.SC_FORBIDDEN,
            denied instanceof CsrfException ? "stale-form" : "forbidden",
            request,
            response);
  }
}
