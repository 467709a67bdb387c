package dev.countersign.server.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

/**
 * Completes the settings of a service with a port for metrics, {@code management.server.port}.
 * Unless its address is set, the port is on loopback. It then has no TLS unless {@code
 * management.server.ssl} is set, because no certificate of the API is valid for loopback.
 */
public final class MetricsPort
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  private static final String PORT = "management.server.port";
  private static final String ADDRESS = "management.server.address";
  private static final String SSL = "management.server.ssl";
  private static final int MAX_PORT = 65_535;

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    ConfigurableEnvironment environment = context.getEnvironment();
    String port = environment.getProperty(PORT);
    if (!StringUtils.hasText(port)) {
      return;
    }
    check(port, environment.getProperty("server.port", Integer.class, 0));
    Map<String, Object> settings = new LinkedHashMap<>();
    if (!StringUtils.hasText(environment.getProperty(ADDRESS))) {
      settings.put(ADDRESS, "127.0.0.1");
      boolean hasOwnTls =
          Binder.get(environment).bind(SSL, Bindable.mapOf(String.class, Object.class)).isBound();
      if (!hasOwnTls) {
        settings.put(SSL + ".enabled", "false");
      }
    }
    settings.put("management.endpoints.web.exposure.include", "health,prometheus");
    settings.put("management.endpoints.web.discovery.enabled", "false");
    settings.put("management.endpoint.prometheus.access", "unrestricted");
    settings.put("management.prometheus.metrics.export.enabled", "true");
    environment.getPropertySources().addFirst(new MapPropertySource("metrics port", settings));
  }

  private static void check(String port, int apiPort) {
    if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MAX_PORT) {
      throw new IllegalArgumentException(PORT + " must be 0 to 65535, was " + port);
    }
    if (apiPort > 0 && Integer.parseInt(port) == apiPort) {
      throw new IllegalArgumentException(
          PORT + " must differ from the port of the API, was " + port);
    }
  }
}
