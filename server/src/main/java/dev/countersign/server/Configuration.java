package dev.countersign.server;

import dev.countersign.server.commands.CommandFailure;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;

/**
 * Where settings come from: {@code countersign.yaml}, over it the environment, over both options.
 */
final class Configuration {
  static final String DEFAULT_FILE = "countersign.yaml";

  private Configuration() {}

  /**
   * An application that reads the configuration file.
   *
   * @param file the file to read; {@value #DEFAULT_FILE} alone need not exist
   */
  static SpringApplicationBuilder application(Class<?> source, Path file) {
    String optional = file.equals(Path.of(DEFAULT_FILE)) ? "optional:" : "";
    if (optional.isEmpty() && !Files.isReadable(file)) {
      throw new CommandFailure("there is no configuration file " + file + " that can be read");
    }
    return application(source)
        .properties(
            Map.of(
                "spring.config.additional-location", optional + "file:" + file.toAbsolutePath()));
  }

  /** An application that reads nothing from outside: no file, no environment, no properties. */
  static SpringApplicationBuilder builtIn(Class<?> source) {
    return application(source)
        .environment(new NothingFromOutside())
        .properties(Map.of("spring.config.location", "classpath:/"));
  }

  private static SpringApplicationBuilder application(Class<?> source) {
    // Until the settings are read no others hold, and a failure to read them is told in one line.
    LoggingSystem.get(Configuration.class.getClassLoader())
        .setLogLevel("org.springframework.boot", LogLevel.OFF);
    return new SpringApplicationBuilder(source)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .initializers(new BuiltInSettings(), new ListingKeys());
  }

  /** Reads the settings without starting anything. */
  static <T> T read(Path file, Reader<T> reader) {
    SpringApplication application =
        application(SettingsOnly.class, file)
            .web(WebApplicationType.NONE)
            .properties("logging.level.root=off")
            .build();
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

  /** Takes what it needs of the settings. */
  @FunctionalInterface
  interface Reader<T> {
    T read(CountersignProperties properties, Environment environment);
  }

  /** The store that the settings name, by Spring's own keys for a data source. */
  static StoreSettings store(Environment environment, Path data) {
    return new StoreSettings(
        data,
        environment.getProperty("spring.datasource.url"),
        environment.getProperty("spring.datasource.username"),
        environment.getProperty("spring.datasource.password"));
  }

  private static final class NothingFromOutside extends StandardEnvironment {
    @Override
    protected void customizePropertySources(MutablePropertySources sources) {
      // Neither the process's environment nor its system properties.
    }
  }

  @EnableConfigurationProperties(CountersignProperties.class)
  private static final class SettingsOnly {}
}
