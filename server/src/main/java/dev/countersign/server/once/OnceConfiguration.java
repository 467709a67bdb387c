package dev.countersign.server.once;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.access.directory.CommittedClients;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.PeriodicTask;
import dev.countersign.server.store.purge.Purge;
import dev.countersign.signatures.keys.CryptoProvider;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures the execution of writes, and the deletion of old claims and answers. */
@Configuration(proxyBeanMethods = false)
class OnceConfiguration {
  private static final Duration PURGE_INTERVAL = Duration.ofMinutes(1);

  @Bean
  ReplayGuard replayGuard(
      Database database, CommittedClients clients, CryptoProvider crypto, Clock clock) {
    return new ReplayGuard(database, clients, crypto, clock);
  }

  @Bean
  ReplayPurge replayPurge(Database database, NodeFitness fitness, Clock clock) {
    Purge purge = new Purge(database, Purge.Lease.withRandomNode("claims"), fitness::isFit, clock);
    return new ReplayPurge(database, purge, clock);
  }

  @Bean
  PeriodicTask regularPurge(ReplayPurge purge) {
    return PeriodicTask.start("regular-purge", PURGE_INTERVAL, purge::run);
  }

  @Bean
  MeterBinder purgeMeters(ReplayPurge purge) {
    return registry ->
        Gauge.builder("countersign.purge.overdue", purge, ReplayPurge::overdueSeconds)
            .description("How long the oldest claim or stored answer is over and not deleted")
            .baseUnit("seconds")
            .register(registry);
  }
}
