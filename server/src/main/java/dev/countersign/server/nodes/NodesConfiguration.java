package dev.countersign.server.nodes;

import dev.countersign.server.access.AccessProperties;
import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.PeriodicTask;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;

/** Configures the heartbeat of this node and its readiness. */
@Configuration(proxyBeanMethods = false)
class NodesConfiguration {
  // How often the node checks whether its registry has become stale, in case no request does.
  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(1);
  // How often a node on SQLite, which no other node watches, writes its heartbeat.
  private static final Duration LONE_HEARTBEAT_INTERVAL = Duration.ofSeconds(10);

  @Bean
  NodeStore nodeStore(Database database) {
    return new NodeStore(database);
  }

  @Bean
  Heartbeat heartbeat(
      Database database,
      NodeFitness fitness,
      Clock clock,
      AccessProperties access,
      Environment environment) {
    String host = host();
    String version =
        Optional.ofNullable(NodesConfiguration.class.getPackage().getImplementationVersion())
            .orElse("(not packaged)");
    return new Heartbeat(
        database.control(),
        new Heartbeat.Identity(() -> host + port(environment), version),
        fitness,
        clock,
        access.maximumSkew());
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /** Returns the port once it is open. */
  private static String port(Environment environment) {
    String port = environment.getProperty("local.server.port");
    return port == null ? "" : ":" + port;
  }

  @Bean
  PeriodicTask registryWatch(NodeFitness fitness) {
    return PeriodicTask.start("registry-watch", WATCH_INTERVAL, fitness::checkStaleness);
  }

  /** Writes the heartbeat on SQLite, where the rounds of the registry only read. */
  @Bean
  AutoCloseable loneHeartbeat(Database database, Heartbeat heartbeat) {
    return database.dialect().isShared()
        ? () -> {}
        : PeriodicTask.start("heartbeat", LONE_HEARTBEAT_INTERVAL, heartbeat::beatAlone);
  }

  @Bean
  ApplicationListener<AvailabilityChangeEvent<ReadinessState>> shownReadiness(
      Database database, Heartbeat heartbeat) {
    return event -> {
      if (event.getState() == ReadinessState.REFUSING_TRAFFIC) {
        heartbeat.drain();
      } else if (!database.dialect().isShared()) {
        heartbeat.beatAlone();
      }
    };
  }

  @Bean
  ApplicationListener<ContextClosedEvent> shownEnd(Heartbeat heartbeat) {
    return event -> heartbeat.drain();
  }

  @Bean
  MeterBinder clockMeter(Heartbeat heartbeat) {
    return registry ->
        Gauge.builder(
                "countersign.clock.difference",
                heartbeat,
                node -> node.clock().difference().toNanos() / 1e9)
            .description("How far the clock of the node is ahead of the database's")
            .baseUnit("seconds")
            .register(registry);
  }

  /** Takes part in the readiness: a node that may not serve requests is not ready. */
  @Bean
  HealthIndicator nodeHealthIndicator(NodeFitness fitness) {
    return () -> (fitness.isFit() ? Health.up() : Health.outOfService()).build();
  }
}
