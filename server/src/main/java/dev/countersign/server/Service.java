package dev.countersign.server;

import dev.countersign.server.access.AccessProperties;
import dev.countersign.server.access.ErrorProperties;
import dev.countersign.server.access.OnceOnly;
import dev.countersign.server.access.PublicUrls;
import dev.countersign.server.access.RequestObserver;
import dev.countersign.server.access.Roles;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.clients.ClientRegistry;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.listings.ListingRoutes;
import dev.countersign.server.listings.ListingSettings;
import dev.countersign.server.listings.Listings;
import dev.countersign.server.listings.WalletSeed;
import dev.countersign.server.requests.Overviews;
import dev.countersign.server.requests.RequestHistory;
import dev.countersign.server.requests.RequestRecords;
import dev.countersign.server.store.DataDirectory;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** The composition of a service: which parts there are and what each is made of. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@ComponentScan(
    excludeFilters =
        // The portal scans its own, for a context of its own.
        @Filter(type = FilterType.REGEX, pattern = "dev\\.countersign\\.server\\.portal\\..*"))
@EnableConfigurationProperties(CountersignProperties.class)
class Service {

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }

  @Bean
  CryptoProvider crypto() {
    return NativeCrypto.choose();
  }

  @Bean
  DataDirectory.ServingLock servingLock(ServeOptions options) {
    return DataDirectory.prepare(options.data()).lockForServing();
  }

  /** Opened under the lock, so that a second service on the same directory never gets this far. */
  @Bean
  Database database(
      ServeOptions options, Environment environment, DataDirectory.ServingLock servingLock) {
    return Database.open(options.store().apply(environment));
  }

  @Bean
  Listings listings(CountersignProperties properties, Database database) {
    return Listings.check(properties.listings(), database);
  }

  @Bean
  Roles roles(CountersignProperties properties, Listings listings) {
    Roles roles = Roles.parse(properties.roles());
    roles.check(listings.permissions());
    return roles;
  }

  @Bean
  ClientRegistry clientRegistry(Database database, Roles roles, CryptoProvider crypto) {
    return ClientRegistry.open(database, roles, crypto);
  }

  @Bean
  AuditTrail auditTrail(Database database, Clock clock) {
    return new AuditTrail(database, clock);
  }

  @Bean
  ClientStore clientStore(Database database, Roles roles, Clock clock, ClientRegistry registry) {
    ClientStore clients = new ClientStore(database, roles, clock, new SecureRandom());
    clients.afterEachChange(registry::refresh);
    return clients;
  }

  /** After all parts have been checked and before the port opens. */
  @Bean
  SmartInitializingSingleton demoWallets(ServeOptions options, Database database) {
    return () -> new WalletSeed(database).fill(options.demoWallets());
  }

  /** Once it has started, tells the operator what would better be set otherwise. */
  @Bean
  ApplicationRunner startupWarnings(
      CountersignProperties properties, ServerProperties server, ServeOptions options) {
    return arguments -> {
      StartupWarnings.ofAnyHost(properties.publicUrls(), server.getAddress());
      StartupWarnings.ofReaders(options.data());
    };
  }

  @Bean
  RouterFunction<ServerResponse> routes(
      CountersignProperties properties,
      Listings listings,
      Database database,
      OnceOnly onceOnly,
      Clock clock) {
    return new ListingRoutes(
        listings,
        database,
        onceOnly,
        new ListingSettings(properties.pagination(), clock, UUID::randomUUID));
  }

  @Bean
  RequestHistory requestHistory(CountersignProperties properties, Database database, Clock clock) {
    return RequestHistory.open(database, properties.requests(), clock);
  }

  @Bean
  RequestObserver requestObserver(RequestHistory history) {
    return history.observer();
  }

  @Bean
  RequestRecords requestRecords(RequestHistory history) {
    return history.records();
  }

  @Bean
  Overviews overviews(RequestHistory history) {
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
