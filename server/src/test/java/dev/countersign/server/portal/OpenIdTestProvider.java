package dev.countersign.server.portal;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import dev.countersign.server.TestService;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import java.security.interfaces.RSAPublicKey;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.context.servlet.AnnotationConfigServletWebApplicationContext;
import org.springframework.boot.web.server.WebServer;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.BeanIds;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configuration.OAuth2AuthorizationServerConfiguration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.filter.DelegatingFilterProxy;

/**
 * A real OpenID provider, Spring Authorization Server, on its own port. Its users are {@code ada}
 * in the group {@code ops}, {@code vic} in {@code support} and {@code eve} without a group;
 * everybody's password is {@link #PASSWORD}. The tests of a JVM share it and one service whose
 * portal uses only it for sign-in, behind a trusted proxy.
 */
final class OpenIdTestProvider {
  static final String CLIENT_ID = "countersign-portal";
  static final String CLIENT_SECRET = "a-secret-for-tests";
  static final String PASSWORD = "password at the provider";

  private static final Map<String, List<String>> GROUPS =
      Map.of("ada", List.of("ops", "all"), "vic", List.of("support"), "eve", List.of());

  private static OpenIdTestProvider running;

  private final AnnotationConfigServletWebApplicationContext context =
      new AnnotationConfigServletWebApplicationContext();
  private final WebServer server;

  /** The provider, started for its first user. */
  static synchronized OpenIdTestProvider shared() {
    if (running == null) {
      running = new OpenIdTestProvider();
      Runtime.getRuntime().addShutdownHook(new Thread(running::close));
    }
    return running;
  }

  /** The shared service whose portal uses this provider. */
  TestService service() {
    TestService service = TestService.shared(settings());
    context.getBean(Clients.class).known.save(client(service.portalUrl() + "/openid/callback"));
    return service;
  }

  private OpenIdTestProvider() {
    context.register(Provider.class);
    TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
    server =
        factory.getWebServer(
            servletContext -> {
              context.setServletContext(servletContext);
              context.refresh();
              // Tomcat runs filters only before a servlet; this one is never reached.
              servletContext.addServlet("nothing", new HttpServlet() {}).addMapping("/");
              servletContext
                  .addFilter(
                      "security",
                      new DelegatingFilterProxy(BeanIds.SPRING_SECURITY_FILTER_CHAIN, context))
                  .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
            });
    server.start();
  }

  String issuer() {
    return "http://localhost:" + server.getPort();
  }

  private String[] settings() {
    String prefix = "countersign.portal.openid.";
    return new String[] {
      prefix + "issuer=" + issuer(),
      prefix + "client-id=" + CLIENT_ID,
      prefix + "client-secret=" + CLIENT_SECRET,
      prefix + "administrators=ops",
      prefix + "viewers=support",
      "countersign.portal.passwords=false",
      TestService.PROXIED,
    };
  }

  private static RegisteredClient client(String redirectUri) {
    return RegisteredClient.withId("1")
        .clientId(CLIENT_ID)
        .clientSecret("{noop}" + CLIENT_SECRET)
        .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
        .redirectUri(redirectUri)
        .scope("openid")
        .scope("profile")
        .clientSettings(
            ClientSettings.builder()
                .requireProofKey(true)
                .requireAuthorizationConsent(false)
                .build())
        .build();
  }

  private void close() {
    server.stop();
    context.close();
  }

  private record Clients(InMemoryRegisteredClientRepository known) {}

  // Without @Configuration, so that no service under test picks it up.
  @EnableWebSecurity
  static class Provider {
    @Bean
    SecurityFilterChain chain(HttpSecurity http) {
      return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
          .oauth2AuthorizationServer(server -> server.oidc(Customizer.withDefaults()))
          .oauth2ResourceServer(resources -> resources.jwt(Customizer.withDefaults()))
          .formLogin(Customizer.withDefaults())
          .build();
    }

    @Bean
    Clients clients() {
      return new Clients(
          new InMemoryRegisteredClientRepository(client("http://localhost/not-registered-yet")));
    }

    @Bean
    RegisteredClientRepository registeredClients(Clients clients) {
      return clients.known();
    }

    @Bean
    AuthorizationServerSettings settings() {
      return AuthorizationServerSettings.builder().build();
    }

    @Bean
    UserDetailsService people() {
      return new InMemoryUserDetailsManager(
          GROUPS.keySet().stream()
              .map(name -> User.withUsername(name).password("{noop}" + PASSWORD).build())
              .toList());
    }

    @Bean
    JWKSource<SecurityContext> keys() {
      RSAKey key =
          new RSAKey.Builder((RSAPublicKey) TestService.KEYS.getPublic())
              .privateKey(TestService.KEYS.getPrivate())
              .keyID("test")
              .build();
      return new ImmutableJWKSet<>(new JWKSet(key));
    }

    @Bean
    JwtDecoder accessTokens(JWKSource<SecurityContext> keys) {
      return OAuth2AuthorizationServerConfiguration.jwtDecoder(keys);
    }

    @Bean
    OAuth2TokenCustomizer<JwtEncodingContext> groups() {
      return token -> {
        if (token.getTokenType().getValue().equals(OidcParameterNames.ID_TOKEN)) {
          String name = token.getPrincipal().getName();
          token.getClaims().claim("preferred_username", name).claim("groups", GROUPS.get(name));
        }
      };
    }
  }
}
