package dev.countersign.server;

import dev.countersign.server.access.AccessProperties;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.clients.ClientAttention;
import dev.countersign.server.clients.ClientNames;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.listings.Listings;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.operators.WaysIn;
import dev.countersign.server.operators.sessions.ExpiredRows;
import dev.countersign.server.operators.sessions.OperatorSessions;
import dev.countersign.server.operators.sessions.SessionLimits;
import dev.countersign.server.operators.signin.OneTimeLinks;
import dev.countersign.server.operators.signin.OpenIdAccounts;
import dev.countersign.server.operators.signin.OpenIdSignIns;
import dev.countersign.server.operators.signin.Passwords;
import dev.countersign.server.operators.signin.SignIn;
import dev.countersign.server.portal.ApiAddress;
import dev.countersign.server.portal.OpenidProperties;
import dev.countersign.server.portal.Portal;
import dev.countersign.server.portal.PortalProperties;
import dev.countersign.server.portal.PortalServer;
import dev.countersign.server.requests.RequestProperties;
import dev.countersign.server.requests.RequestRecords;
import dev.countersign.server.requests.statistics.Overviews;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.Rounds;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.web.WebProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.autoconfigure.TomcatServerProperties;
import org.springframework.boot.tomcat.autoconfigure.TomcatVirtualThreadsWebServerFactoryCustomizer;
import org.springframework.boot.tomcat.autoconfigure.TomcatWebServerFactoryCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.autoconfigure.servlet.ServletWebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The Spring configuration of the portal and of everything that it uses. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "countersign.portal.enabled", matchIfMissing = true)
class PortalParts {
  /** The types of the beans that are handed over to the portal. */
  private static final List<Class<?>> PARTS =
      List.of(
          Clock.class,
          Database.class,
          CryptoProvider.class,
          SecureRandom.class,
          PortalProperties.class,
          TrustedProxies.class,
          Roles.class,
          ApiAddress.class,
          ClientStore.class,
          Listings.class,
          AuditTrail.class,
          OperatorStore.class,
          OperatorSessions.class,
          OneTimeLinks.class,
          SignIn.class,
          OpenIdAccounts.class,
          OpenIdSignIns.class,
          ClientAttention.class,
          ClientNames.class,
          Overviews.class,
          RequestProperties.class,
          RequestRecords.class);

  @Bean
  PortalProperties portalProperties(CountersignProperties properties) {
    return properties.portal();
  }

  @Bean
  RequestProperties requestProperties(CountersignProperties properties) {
    return properties.requests();
  }

  @Bean
  TrustedProxies forwarding(AccessProperties access) {
    return new TrustedProxies(access.trustedProxies());
  }

  @Bean
  ApiAddress apiAddress(CountersignProperties properties, Environment environment) {
    return new ApiAddress(
        properties.publicUrls(),
        () -> environment.getRequiredProperty("local.server.port", Integer.class));
  }

  @Bean
  ClientAttention clientAttention(Database database, Clock clock) {
    return new ClientAttention(database, clock);
  }

  @Bean
  ClientNames clientNames(Database database) {
    return new ClientNames(database);
  }

  @Bean
  SessionLimits sessionLimits(PortalProperties properties) {
    return new SessionLimits(properties.idleLimit(), properties.sessionLimit());
  }

  @Bean
  SecureRandom secureRandom() {
    return new SecureRandom();
  }

  @Bean
  Passwords passwords(SecureRandom random) {
    return Passwords.argon2id(random);
  }

  @Bean
  OperatorStore operatorStore(
      Database database,
      AuditTrail audit,
      Clock clock,
      SecureRandom random,
      PortalProperties properties) {
    return new OperatorStore(database, audit, clock, random).signingInBy(waysIn(properties));
  }

  static WaysIn waysIn(PortalProperties properties) {
    OpenidProperties openid = properties.openid();
    if (openid == null) {
      return WaysIn.PASSWORDS;
    }
    return properties.passwords() ? WaysIn.both(openid.issuer()) : WaysIn.openId(openid.issuer());
  }

  @Bean
  OperatorSessions operatorSessions(
      Database database, SessionLimits limits, Clock clock, SecureRandom random) {
    return new OperatorSessions(database, limits, clock, random);
  }

  @Bean
  OneTimeLinks oneTimeLinks(
      Database database, AuditTrail audit, Passwords passwords, Clock clock, SecureRandom random) {
    return new OneTimeLinks(database, audit, passwords, clock, random);
  }

  /** Runs audit entries that are written after an answer. */
  @Bean(destroyMethod = "close")
  ExecutorService portalBackground() {
    return Executors.newSingleThreadExecutor(
        Thread.ofPlatform().daemon().name("portal-background").factory());
  }

  @Bean
  SignIn signIn(
      Database database,
      AuditTrail audit,
      Passwords passwords,
      Clock clock,
      SecureRandom random,
      ExecutorService portalBackground) {
    return new SignIn(database, audit, passwords, clock, random, portalBackground);
  }

  @Bean
  OpenIdAccounts openIdAccounts(
      Database database,
      AuditTrail audit,
      Clock clock,
      SecureRandom random,
      ExecutorService portalBackground) {
    return new OpenIdAccounts(database, audit, clock, random, portalBackground);
  }

  @Bean
  OpenIdSignIns openIdSignIns(Database database, Clock clock) {
    return new OpenIdSignIns(database, clock);
  }

  @Bean
  Rounds expiredRows(Database database, OperatorSessions sessions, Clock clock) {
    return Rounds.start(
        "expired-rows", Duration.ofMinutes(10), new ExpiredRows(database, sessions, clock)::purge);
  }

  @Bean
  Portal portal(ConfigurableApplicationContext service) {
    return new Portal(service.getBeanFactory(), service.getEnvironment(), PARTS);
  }

  /** Registers the portal with the API's server, unless the portal has its own port. */
  @Bean
  ServletContextInitializer portalBesideTheApi(Portal portal, PortalProperties properties) {
    return context -> {
      if (properties.port() == null) {
        portal.register(context);
      }
    };
  }

  @Bean
  @ConditionalOnProperty("countersign.portal.port")
  PortalServer portalServer(
      Portal portal,
      PortalProperties properties,
      ServerProperties server,
      TomcatServerProperties tomcat,
      WebProperties web,
      SslBundles sslBundles,
      Environment environment) {
    TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory();
    new ServletWebServerFactoryCustomizer(server, List.of(), List.of(), sslBundles)
        .customize(factory);
    new TomcatWebServerFactoryCustomizer(environment, server, tomcat, web).customize(factory);
    new TomcatVirtualThreadsWebServerFactoryCustomizer().customize(factory);
    return new PortalServer(
        portal, factory, Objects.requireNonNull(properties.port()), properties.address());
  }
}
