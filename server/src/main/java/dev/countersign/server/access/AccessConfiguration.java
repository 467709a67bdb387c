package dev.countersign.server.access;

import dev.countersign.server.access.directory.ClientDirectory;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.access.outcome.RequestObserver;
import dev.countersign.signatures.keys.CryptoProvider;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Configures the authentication of requests, which runs before everything else. */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
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
  FilterRegistrationBean<SignatureFilter> signatureFilter(
      RequestAuthenticator authenticator,
      ProblemWriter problems,
      OpenPaths openPaths,
      List<Operation.Finder> operations) {
    FilterRegistrationBean<SignatureFilter> registration =
        new FilterRegistrationBean<>(
            new SignatureFilter(authenticator, problems, openPaths, operations));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    registration.addUrlPatterns("/*");
    return registration;
  }

  /** Runs the operation that the filter found. */
  @Bean
  RouterFunction<ServerResponse> operations() {
    return request ->
        SignedRequest.find(request.servletRequest())
            .map(signed -> ignored -> SignatureFilter.run(signed));
  }

  @Bean
  RequestLog requestLog(RequestLines lines, ObjectProvider<RequestObserver> observer, Clock clock) {
    return new RequestLog(lines, observation(observer, clock));
  }

  @Bean
  MeterBinder accessMeters(
      RequestAuthenticator authenticator, RequestLog log, RequestLines lines, NodeFitness fitness) {
    return registry -> {
      Gauge.builder("countersign.requests.in.flight", log, RequestLog::inFlight)
          .description("Requests that have begun and not ended")
          .register(registry);
      Gauge.builder(
              "countersign.requests.waiting", authenticator.loadShedder(), LoadShedder::waiting)
          .description("Requests that wait for a processor")
          .register(registry);
      Gauge.builder("countersign.body.memory.used", authenticator, RequestAuthenticator::bodyMemory)
          .description("Memory reserved for the bodies of requests")
          .baseUnit("bytes")
          .register(registry);
      FunctionCounter.builder("countersign.log.lines.dropped", lines, RequestLines::dropped)
          .description("Lines of unverified requests that the log was too slow for")
          .register(registry);
      Gauge.builder("countersign.registry.age", fitness, of -> of.age().toNanos() / 1e9)
          .description("The age of what the node knows of the clients")
          .baseUnit("seconds")
          .register(registry);
      Gauge.builder("countersign.node.fit", fitness, of -> of.isFit() ? 1 : 0)
          .description("1 if the node may serve requests, 0 if it refuses them")
          .register(registry);
    };
  }

  private static @Nullable RequestObservation observation(
      ObjectProvider<RequestObserver> provider, Clock clock) {
    RequestObserver observer = provider.getIfAvailable();
    return observer == null ? null : new RequestObservation(observer, clock);
  }
}
