package dev.countersign.server.app;

import com.zaxxer.hikari.HikariPoolMXBean;
import dev.countersign.server.access.AccessProperties;
import dev.countersign.server.access.LoadShedder;
import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.access.VerificationLimiter;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.outcome.RequestObserver;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.clients.ClientReader;
import dev.countersign.server.clients.ClientRegistry;
import dev.countersign.server.clients.ClientRules;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.config.CountersignProperties;
import dev.countersign.server.config.ServedListings;
import dev.countersign.server.demo.TransactionSeed;
import dev.countersign.server.demo.WalletSeed;
import dev.countersign.server.http.ErrorProperties;
import dev.countersign.server.http.OpenPaths;
import dev.countersign.server.integrations.IntegrationRoutes;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.listings.ListingRoutes;
import dev.countersign.server.listings.ListingSettings;
import dev.countersign.server.listings.PaginationProperties;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.nodes.Heartbeat;
import dev.countersign.server.once.ReplayGuard;
import dev.countersign.server.openapi.OpenApiAccess;
import dev.countersign.server.openapi.OpenApiDocument;
import dev.countersign.server.openapi.OpenApiRoutes;
import dev.countersign.server.requests.RequestHistory;
import dev.countersign.server.requests.RequestRecordStore;
import dev.countersign.server.requests.statistics.OverviewReader;
import dev.countersign.server.store.DataDirectory;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.PeriodicTask;
import dev.countersign.signatures.keys.CryptoProvider;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** The Spring configuration of the service: its parts and how they are created. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@ComponentScan(
    basePackages = "dev.countersign.server",
    excludeFilters = {
      // The portal scans its packages in its own context.
      @Filter(type = FilterType.REGEX, pattern = "dev\\.countersign\\.server\\.portal\\..*"),
      // These belong to the context of the port for metrics.
      @Filter(type = FilterType.ANNOTATION, classes = ManagementContextConfiguration.class)
    })
@EnableConfigurationProperties(CountersignProperties.class)
class ServiceConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceConfiguration.class);
  private static final Duration UNREADABLE_VALUES_INTERVAL = Duration.ofMinutes(1);

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }

  @Bean
  CryptoProvider crypto() {
    return CryptoProvider.best(provider -> LOG.info("signatures are verified by {}", provider));
  }

  @Bean
  DataDirectory.ServingLock servingLock(ServeOptions options) {
    return DataDirectory.prepare(options.data()).lockForServing();
  }

  /**
   * Opens the database only when the lock is held. A second service on the same directory fails at
   * the lock, before it opens the database.
   */
  @Bean
  Database database(
      ServeOptions options, Environment environment, DataDirectory.ServingLock servingLock) {
    return Database.openForStart(options.store().apply(environment));
  }

  /** Contributes {@code databaseFile} to the readiness probe. */
  @Bean
  DatabaseFileHealth databaseFile(Database database) {
    return new DatabaseFileHealth(database);
  }

  @Bean
  ServedListings servedListings(
      CountersignProperties properties, ConfigurableEnvironment environment, ServeOptions options) {
    ServedListings configured = ServedListings.of(properties, environment);
    return options.demoTransactions() > 0 ? configured.withDemo() : configured;
  }

  @Bean
  ListingCatalog listings(ServedListings served, Attributes attributes, Database database) {
    if (served.includesDemo()) {
      new TransactionSeed(database).createTable();
    }
    return ListingCatalog.create(served.listings(), attributes, database);
  }

  @Bean
  Attributes attributes(ServedListings served) {
    return Attributes.parse(served.attributes());
  }

  @Bean
  Roles roles(ServedListings served, ListingCatalog listings) {
    Roles roles = Roles.parse(served.roles());
    Set<Permission> known = new LinkedHashSet<>(listings.permissions());
    known.add(IntegrationRoutes.permission());
    roles.check(known);
    return roles;
  }

  @Bean
  ClientReach clientReach(ServedListings served, Roles roles, Attributes attributes) {
    return new ClientReach(roles, attributes, ListingCatalog.scopes(served.listings()));
  }

  @Bean
  ClientReader clientReader(Roles roles, Attributes attributes, CryptoProvider crypto) {
    return new ClientReader(roles, attributes, crypto);
  }

  @Bean
  ClientRegistry clientRegistry(
      Database database, ClientReader reader, NodeFitness fitness, Heartbeat heartbeat) {
    return ClientRegistry.open(
        database.control(),
        reader,
        fitness,
        database.dialect().isShared() ? heartbeat::beat : null);
  }

  @Bean
  AuditTrail auditTrail(Database database, Clock clock) {
    return new AuditTrail(database, clock);
  }

  @Bean
  ClientRules clientRules(Roles roles, Attributes attributes) {
    return new ClientRules(roles, attributes);
  }

  @Bean
  ClientStore clientStore(
      Database database, ClientRules rules, Clock clock, ClientRegistry registry) {
    ClientStore clients = new ClientStore(database, rules, clock, new SecureRandom());
    clients.afterEachChange(registry::refresh);
    return clients;
  }

  /** Fills the demo tables, after all parts have been checked and before the port opens. */
  @Bean
  SmartInitializingSingleton demoRecords(
      ServeOptions options, ServedListings served, Database database) {
    return () -> {
      new WalletSeed(database).fill(options.demoWallets());
      if (served.includesDemo()) {
        new TransactionSeed(database).fill(options.demoTransactions());
      }
    };
  }

  /** After the start, warns the operator about settings that should be changed. */
  @Bean
  ApplicationRunner startupWarnings(
      CountersignProperties properties,
      ServerProperties server,
      ServeOptions options,
      ListingCatalog listings,
      Database database) {
    return arguments -> {
      StartupWarnings.warnIfAnyHost(properties.publicUrls(), server.getAddress());
      StartupWarnings.warnIfDataReadable(options.data());
      listings.logMissingIndexes(database);
    };
  }

  @Bean
  IntegrationRoutes integrationRoutes(
      ReplayGuard replayGuard,
      ClientStore clients,
      ClientReader reader,
      ClientRegistry registry,
      CountersignProperties properties,
      IntegrationRoutes.Settings settings) {
    return new IntegrationRoutes(
        replayGuard,
        clients.rotation(reader, properties.integrations().rotationInterval()),
        settings,
        registry::refresh);
  }

  @Bean
  OpenPaths openPaths(CountersignProperties properties) {
    return switch (OpenApiAccess.parse(properties.openapi())) {
      case OPEN -> new OpenPaths(Set.of(OpenApiAccess.PATH));
      case SIGNED -> new OpenPaths(Set.of());
    };
  }

  @Bean
  OpenApiRoutes openApiRoutes(
      CountersignProperties properties,
      PublicUrls publicUrls,
      ListingCatalog listings,
      ReplayGuard replayGuard) {
    return new OpenApiRoutes(
        new OpenApiDocument(
            listings.all(),
            properties.access().date() == AccessProperties.DateRule.REQUIRED,
            properties.pagination().pageable() == PaginationProperties.Pageable.SEND),
        publicUrls,
        OpenApiAccess.parse(properties.openapi()),
        replayGuard);
  }

  @Bean
  IntegrationRoutes.Settings integrationSettings(
      CryptoProvider crypto, Clock clock, VerificationLimiter verificationLimiter) {
    return new IntegrationRoutes.Settings(crypto, clock, verificationLimiter);
  }

  @Bean
  Totals totals() {
    return new Totals();
  }

  @Bean
  ListingRoutes routes(
      CountersignProperties properties,
      ListingCatalog listings,
      Database database,
      ReplayGuard replayGuard,
      Clock clock,
      Totals totals) {
    return new ListingRoutes(
        listings,
        database,
        replayGuard,
        new ListingSettings(properties.pagination(), clock, UUID::randomUUID, totals));
  }

  @Bean
  PeriodicTask unreadableValues(ListingCatalog listings, Database database) {
    return PeriodicTask.start(
        "unreadable-values",
        UNREADABLE_VALUES_INTERVAL,
        () -> listings.unreadableValues().forgetCorrected(database));
  }

  @Bean
  RequestHistory requestHistory(
      CountersignProperties properties, Database database, NodeFitness fitness, Clock clock) {
    return RequestHistory.open(database, properties.requests(), fitness::isFit, clock);
  }

  /**
   * Reads the senders of recent verified requests before the port opens, so that a node that starts
   * during a flood serves them.
   */
  @Bean
  SmartInitializingSingleton provenSenders(RequestHistory history, LoadShedder loadShedder) {
    return () ->
        history.forEachSender(
            LoadShedder.PROVEN_FOR, LoadShedder.MAX_PROVEN_SENDERS, loadShedder::noteProven);
  }

  /** Notifies the history of each request, then all other observers, such as the metrics. */
  @Bean
  @Primary
  RequestObserver requestObserver(RequestHistory history, List<RequestObserver> others) {
    RequestObserver first = history.observer();
    return request -> {
      first.completed(request);
      others.forEach(other -> other.completed(request));
    };
  }

  @Bean
  MeterBinder recordMeters(RequestRecordStore records) {
    return registry -> {
      for (TrustLevel trust : TrustLevel.values()) {
        FunctionCounter.builder(
                "countersign.records.stored",
                records,
                store -> store.counters().stored().getOrDefault(trust, 0L))
            .description("Records of requests that were written")
            .tag("standing", trust.word())
            .register(registry);
        FunctionCounter.builder(
                "countersign.records.dropped",
                records,
                store -> store.counters().dropped().getOrDefault(trust, 0L))
            .description("Records of requests that were too many to write, or that failed")
            .tag("standing", trust.word())
            .register(registry);
      }
    };
  }

  @Bean
  MeterBinder poolMeters(Database database) {
    return registry ->
        database
            .pools()
            .forEach(
                (name, pool) -> {
                  Gauge.builder(
                          "countersign.pool.active", pool, HikariPoolMXBean::getActiveConnections)
                      .description("Connections to the database that are in use")
                      .tag("pool", name)
                      .register(registry);
                  Gauge.builder("countersign.pool.idle", pool, HikariPoolMXBean::getIdleConnections)
                      .description("Connections to the database that are free")
                      .tag("pool", name)
                      .register(registry);
                  Gauge.builder(
                          "countersign.pool.pending",
                          pool,
                          HikariPoolMXBean::getThreadsAwaitingConnection)
                      .description("Threads that wait for a connection to the database")
                      .tag("pool", name)
                      .register(registry);
                });
  }

  @Bean
  RequestRecordStore requestRecordStore(RequestHistory history) {
    return history.records();
  }

  @Bean
  OverviewReader overviews(RequestHistory history) {
    return history.overviews();
  }

  @Bean
  AccessProperties accessProperties(CountersignProperties properties) {
    return properties.access();
  }

  @Bean
  ErrorProperties errorProperties(CountersignProperties properties) {
    return properties.errors();
  }

  @Bean
  PublicUrls publicUrls(CountersignProperties properties) {
    return PublicUrls.of(properties.publicUrls());
  }
}
