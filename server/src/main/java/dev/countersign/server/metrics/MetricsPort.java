package dev.countersign.server.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Completes the settings of a service that has a port for metrics: without {@code
 * management.server.port}, there are none, and their address is loopback unless {@code
 * management.server.address} is set.
 */
public final class MetricsPort
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  private static final int HIGHEST = 65_535;

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    ConfigurableEnvironment environment = context.getEnvironment();
    String port = environment.getProperty("management.server.port");
    if (port == null) {
      return;
    }
    if (port.matches("[1-9][0-9]*") && port.equals(environment.getProperty("server.port"))) {
      throw new IllegalArgumentException(
          "management.server.port must differ from the port of the API, was " + port);
    }
    if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > HIGHEST) {
      throw new IllegalArgumentException("management.server.port must be 0 to 65535, was " + port);
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    if (!environment.containsProperty("management.server.address")) {
      settings.put("management.server.address", "127.0.0.1");
    }
    settings.put("management.endpoints.web.exposure.include", "health,prometheus");
    settings.put("management.endpoints.web.discovery.enabled", "false");
    settings.put("management.endpoint.prometheus.access", "unrestricted");
    settings.put("management.prometheus.metrics.export.enabled", "true");
    environment.getPropertySources().addFirst(new MapPropertySource("metrics port", settings));
  }
}
