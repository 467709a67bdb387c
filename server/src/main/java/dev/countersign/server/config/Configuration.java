package dev.countersign.server.config;

import dev.countersign.server.commands.CommandException;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;

/**
 * Reads the settings from {@code countersign.yaml}, the environment and options. Options override
 * the environment, and the environment overrides the file.
 */
public final class Configuration {
  public static final String DEFAULT_FILE = "countersign.yaml";

  private Configuration() {}

  /**
   * Creates an application that reads the configuration file.
   *
   * @param file the file to read; only {@value #DEFAULT_FILE} may be missing
   */
  public static SpringApplicationBuilder application(Class<?> source, Path file) {
    String optional = file.equals(Path.of(DEFAULT_FILE)) ? "optional:" : "";
    if (optional.isEmpty() && !Files.isReadable(file)) {
      throw new CommandException(
          "cannot read the configuration file " + file + "; check its path and its permissions");
    }
    return application(source)
        .properties(
            Map.of(
                "spring.config.additional-location", optional + "file:" + file.toAbsolutePath()));
  }

  /** Creates an application without external settings: no file, no environment, no properties. */
  public static SpringApplicationBuilder builtIn(Class<?> source) {
    return application(source)
        .environment(new EmptyEnvironment())
        .properties(Map.of("spring.config.location", "classpath:/"));
  }

  private static SpringApplicationBuilder application(Class<?> source) {
    // Turns off Spring Boot's log until the settings are read; a failure is reported in one line.
    LoggingSystem.get(Configuration.class.getClassLoader())
        .setLogLevel("org.springframework.boot", LogLevel.OFF);
    return new SpringApplicationBuilder(source)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .initializers(new BuiltInSettings(), new ListingKeys());
  }

  /** Reads the settings without starting a service. */
  public static <T> T read(Path file, Reader<T> reader) {
    SpringApplication application =
        application(SettingsOnly.class, file).web(WebApplicationType.NONE).build();
    try (ConfigurableApplicationContext context = started(application)) {
      return reader.read(context.getBean(CountersignProperties.class), context.getEnvironment());
    }
  }

  private static ConfigurableApplicationContext started(SpringApplication application) {
    try {
      return application.run();
    } catch (RuntimeException e) {
      throw StartupFailure.of(e);
    }
  }

  /** Reads a value from the settings. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(CountersignProperties properties, ConfigurableEnvironment environment);
  }

  /** Returns the settings of the store, read from Spring's keys for a data source. */
  public static StoreSettings store(Environment environment, Path data) {
    return new StoreSettings(
        data,
        environment.getProperty("spring.datasource.url"),
        environment.getProperty("spring.datasource.username"),
        environment.getProperty("spring.datasource.password"),
        environment.getProperty("countersign.schema", StoreSettings.SCHEMA),
        Binder.get(environment)
            .bindOrCreate("countersign.connections", StoreSettings.Connections.class));
  }

  private static final class EmptyEnvironment extends StandardEnvironment {
    @Override
    protected void customizePropertySources(MutablePropertySources sources) {
      // Omits the process's environment and its system properties.
    }
  }

  @EnableConfigurationProperties(CountersignProperties.class)
  private static final class SettingsOnly {}
}
