package dev.countersign.server.app;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.clients.ClientAttention;
import dev.countersign.server.clients.ClientNames;
import dev.countersign.server.clients.ClientRules;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.config.CountersignProperties;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.nodes.NodeStore;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.operators.SignInMethods;
import dev.countersign.server.operators.sessions.ExpiredRows;
import dev.countersign.server.operators.sessions.SessionLimits;
import dev.countersign.server.operators.sessions.SessionStore;
import dev.countersign.server.operators.signin.AuthorizationRequestStore;
import dev.countersign.server.operators.signin.OneTimeLinkService;
import dev.countersign.server.operators.signin.OpenIdAccounts;
import dev.countersign.server.operators.signin.Passwords;
import dev.countersign.server.operators.signin.SignIn;
import dev.countersign.server.portal.ApiAddress;
import dev.countersign.server.portal.OpenIdProperties;
import dev.countersign.server.portal.Portal;
import dev.countersign.server.portal.PortalProperties;
import dev.countersign.server.portal.PortalServer;
import dev.countersign.server.requests.RequestProperties;
import dev.countersign.server.requests.RequestRecordStore;
import dev.countersign.server.requests.statistics.OverviewReader;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.PeriodicTask;
import dev.countersign.server.store.purge.Purge;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.autoconfigure.web.WebProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.autoconfigure.TomcatServerProperties;
import org.springframework.boot.tomcat.autoconfigure.TomcatVirtualThreadsWebServerFactoryCustomizer;
import org.springframework.boot.tomcat.autoconfigure.TomcatWebServerFactoryCustomizer;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.autoconfigure.servlet.ServletWebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The Spring configuration of the portal and of everything that it uses. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "countersign.portal.enabled", matchIfMissing = true)
class PortalParts {
  /** The types of the beans that the service hands over to the portal. */
  private static final List<Class<?>> PARTS =
      List.of(
          Clock.class,
          Database.class,
          CryptoProvider.class,
          SecureRandom.class,
          PortalProperties.class,
          TrustedProxies.class,
          Roles.class,
          ClientReach.class,
          ClientRules.class,
          ApiAddress.class,
          ClientStore.class,
          ListingCatalog.class,
          Totals.class,
          AuditTrail.class,
          NodeStore.class,
          OperatorStore.class,
          SessionStore.class,
          OneTimeLinkService.class,
          SignIn.class,
          OpenIdAccounts.class,
          AuthorizationRequestStore.class,
          ClientAttention.class,
          ClientNames.class,
          OverviewReader.class,
          RequestProperties.class,
          RequestRecordStore.class);

  @Bean
  PortalProperties portalProperties(CountersignProperties properties) {
    return properties.portal();
  }

  @Bean
  RequestProperties requestProperties(CountersignProperties properties) {
    return properties.requests();
  }

  @Bean
  ApiAddress apiAddress(
      CountersignProperties properties, ServerProperties server, Environment environment) {
    return new ApiAddress(
        properties.publicUrls(),
        Ssl.isEnabled(server.getSsl()),
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
    return new OperatorStore(database, audit, clock, random)
        .withSignInMethods(signInMethods(properties));
  }

  static SignInMethods signInMethods(PortalProperties properties) {
    OpenIdProperties openid = properties.openid();
    if (openid == null) {
      return SignInMethods.PASSWORDS;
    }
    return properties.passwords()
        ? SignInMethods.both(openid.issuer())
        : SignInMethods.openId(openid.issuer());
  }

  @Bean
  SessionStore sessionStore(
      Database database, SessionLimits limits, Clock clock, SecureRandom random) {
    return new SessionStore(database, limits, clock, random);
  }

  @Bean
  OneTimeLinkService oneTimeLinkService(
      Database database, AuditTrail audit, Passwords passwords, Clock clock, SecureRandom random) {
    return new OneTimeLinkService(database, audit, passwords, clock, random);
  }

  /** Provides the thread that writes audit entries after the portal has answered. */
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
  AuthorizationRequestStore authorizationRequestStore(Database database, Clock clock) {
    return new AuthorizationRequestStore(database, clock);
  }

  @Bean
  PeriodicTask expiredRows(
      Database database, SessionStore sessions, NodeFitness fitness, Clock clock) {
    Purge purge =
        new Purge(database, Purge.Lease.withRandomNode("sessions"), fitness::isFit, clock);
    return PeriodicTask.start(
        "expired-rows",
        Duration.ofMinutes(10),
        new ExpiredRows(purge, database.dialect(), sessions)::run);
  }

  @Bean
  Portal portal(ConfigurableApplicationContext service) {
    return new Portal(service.getBeanFactory(), service.getEnvironment(), PARTS);
  }

  /** Registers the portal with the server of the API, if the portal shares the API's port. */
  @Bean
  ServletContextInitializer portalOnApiPort(Portal portal, PortalProperties properties) {
    return context -> {
      if (properties.sharesApiPort()) {
        portal.register(context);
      }
    };
  }

  /** A condition that holds unless the portal shares the port of the API. */
  static final class OwnPort extends NoneNestedConditions {
    OwnPort() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnProperty(name = "countersign.portal.port", havingValue = "api")
    static final class OnApiPort {}
  }

  @Bean
  @Conditional(OwnPort.class)
  PortalServer portalServer(
      Portal portal,
      PortalProperties properties,
      ServerProperties server,
      TomcatServerProperties tomcat,
      WebProperties web,
      SslBundles sslBundles,
      Environment environment) {
    PortalServer.Factory factory = new PortalServer.Factory();
    new ServletWebServerFactoryCustomizer(server, List.of(), List.of(), sslBundles)
        .customize(factory);
    new TomcatWebServerFactoryCustomizer(environment, server, tomcat, web).customize(factory);
    new TomcatVirtualThreadsWebServerFactoryCustomizer().customize(factory);
    Integer apiPort = server.getPort();
    return new PortalServer(
        portal, factory, properties, apiPort == null ? ConfiguredPortal.DEFAULT_API_PORT : apiPort);
  }
}
