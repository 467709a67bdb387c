package dev.countersign.server.access;

import dev.countersign.server.access.directory.ClientDirectory;
import dev.countersign.server.access.directory.CommittedClients;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.access.outcome.RequestObserver;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.PeriodicTask;
import dev.countersign.server.store.purge.Purge;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Configures the authentication of requests, which runs before everything else. */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
  /** How often the service deletes old records of signatures and old stored answers. */
  private static final Duration PURGED_EVERY = Duration.ofMinutes(1);

  @Bean
  LongSupplier ticker() {
    return System::nanoTime;
  }

  @Bean
  NodeFitness nodeFitness(AccessProperties access, LongSupplier ticker) {
    return new NodeFitness(access.registryLimit(), ticker);
  }

  @Bean
  TrustedProxies trustedProxies(AccessProperties access) {
    return new TrustedProxies(access.trustedProxies());
  }

  @Bean
  RequestAuthenticator requestAuthenticator(
      AccessProperties access,
      TrustedProxies trustedProxies,
      PublicUrls publicUrls,
      ClientDirectory clients,
      NodeFitness fitness,
      CryptoProvider crypto,
      Clock clock) {
    return new RequestAuthenticator(
        access, trustedProxies, publicUrls, clients, fitness, crypto, clock);
  }

  @Bean
  VerificationLimiter verifications(RequestAuthenticator authenticator) {
    return authenticator.verifications();
  }

  @Bean
  LoadShedder loadShedder(RequestAuthenticator authenticator) {
    return authenticator.loadShedder();
  }

  @Bean
  RequestLines requestLines() {
    return new RequestLines(System::nanoTime, RequestLines.FLUSH_LIMIT, System.err);
  }

  @Bean
  ProblemWriter problemWriter(ErrorProperties errors) {
    return new ProblemWriter(errors.signatureBase());
  }

  @Bean
  ReplayGuard replayGuard(
      Database database, CommittedClients clients, CryptoProvider crypto, Clock clock) {
    return new ReplayGuard(database, clients, crypto, clock);
  }

  @Bean
  ReplayPurge replayPurge(Database database, NodeFitness fitness, Clock clock) {
    Purge purge = new Purge(database, Purge.Lease.drawn("claims"), fitness::isFit, clock);
    return new ReplayPurge(database, purge, clock);
  }

  @Bean
  PeriodicTask regularPurge(ReplayPurge purge) {
    return PeriodicTask.start("regular-purge", PURGED_EVERY, purge::run);
  }

  @Bean
  FilterRegistrationBean<SignatureFilter> signatureFilter(
      RequestAuthenticator authenticator,
      ProblemWriter problems,
      OpenPaths openPaths,
      List<RouteAdmission> routes) {
    FilterRegistrationBean<SignatureFilter> registration =
        new FilterRegistrationBean<>(
            new SignatureFilter(authenticator, problems, openPaths, routes));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    registration.addUrlPatterns("/*");
    return registration;
  }

  @Bean
  RequestLog requestLog(RequestLines lines, ObjectProvider<RequestObserver> observer, Clock clock) {
    return new RequestLog(lines, observation(observer, clock));
  }

  private static @Nullable RequestObservation observation(
      ObjectProvider<RequestObserver> provider, Clock clock) {
    RequestObserver observer = provider.getIfAvailable();
    return observer == null ? null : new RequestObservation(observer, clock);
  }
}
