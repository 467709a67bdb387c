package dev.countersign.server.metrics;

import dev.countersign.server.integrations.IntegrationRoutes;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.openapi.OpenApiAccess;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Configures the metrics of a service that has a port for them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("management.server.port")
class MetricsConfiguration {

  @Bean
  RequestMeters requestMeters(MeterRegistry registry, ListingCatalog listings) {
    List<String> routes =
        Stream.concat(
                listings.all().stream().map(listing -> listing.path().toString()),
                Stream.of(IntegrationRoutes.KEYS, OpenApiAccess.PATH))
            .toList();
    return new RequestMeters(registry, routes);
  }

  /**
   * Serves the probes on the port of the API; Spring Boot would serve them only on that of the
   * metrics.
   */
  @Bean
  @Order(-1)
  RouterFunction<ServerResponse> probes(HealthEndpoint health) {
    return new ProbeRoutes(health);
  }
}
