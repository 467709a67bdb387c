package dev.countersign.server.access;

import dev.countersign.server.access.directory.ClientDirectory;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.signatures.keys.CryptoProvider;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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
  MeterBinder accessMeters(RequestAuthenticator authenticator, NodeFitness fitness) {
    return registry -> {
      Gauge.builder(
              "countersign.requests.waiting",
              authenticator.loadShedder(),
              LoadShedder::waitingTasks)
          .description("Requests that wait for a processor")
          .register(registry);
      Gauge.builder("countersign.body.memory.used", authenticator, RequestAuthenticator::bodyMemory)
          .description("Memory reserved for the bodies of requests")
          .baseUnit("bytes")
          .register(registry);
      Gauge.builder("countersign.registry.age", fitness, node -> node.age().toNanos() / 1e9)
          .description("The age of what the node knows of the clients")
          .baseUnit("seconds")
          .register(registry);
      Gauge.builder("countersign.node.fit", fitness, node -> node.isFit() ? 1 : 0)
          .description("1 if the node may serve requests, 0 if it refuses them")
          .register(registry);
    };
  }
}
