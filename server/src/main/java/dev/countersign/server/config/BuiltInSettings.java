package dev.countersign.server.config;

import dev.countersign.server.commands.CommandException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

/**
 * Adds the built-in listings and roles unless the operator configures others.
 *
 * <p>Design note: Spring would merge ordinary defaults into the operator's settings, entry by
 * entry. A configured listing would then inherit fields of the built-in listing.
 */
final class BuiltInSettings
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  private static final String LISTINGS = "countersign.listings";
  private static final String ROLES = "countersign.roles";

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    ConfigurableEnvironment environment = context.getEnvironment();
    boolean ownListings = isSet(environment, LISTINGS);
    boolean ownRoles = isSet(environment, ROLES);
    if (!ownListings) {
      environment.getPropertySources().addLast(builtIn(LISTINGS));
    }
    // The built-in roles fit only the built-in listing, so they are not added to other listings.
    if (!ownListings && !ownRoles) {
      environment.getPropertySources().addLast(builtIn(ROLES));
    }
  }

  /** Returns whether the roles are the built-in ones. */
  static boolean hasBuiltInRoles(ConfigurableEnvironment environment) {
    return environment.getPropertySources().contains(source(ROLES));
  }

  private static boolean isSet(ConfigurableEnvironment environment, String setting) {
    ConfigurationPropertyName name = ConfigurationPropertyName.of(setting);
    boolean set = false;
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty value = source.getConfigurationProperty(name);
      if (value != null && !value.getValue().toString().isBlank()) {
        throw new CommandException(setting + " must have entries, was " + value.getValue());
      }
      set |=
          value != null || source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT;
    }
    return set;
  }

  private static PropertySource<?> builtIn(String setting) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (PropertySource<?> source : file()) {
      for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
        if (name.startsWith(setting)) {
          values.put(name, String.valueOf(source.getProperty(name)));
        }
      }
    }
    return new MapPropertySource(source(setting), values);
  }

  private static String source(String setting) {
    return "built-in " + setting;
  }

  private static List<PropertySource<?>> file() {
    try {
      return new YamlPropertySourceLoader()
          .load("built-in", new ClassPathResource("built-in.yaml"));
    } catch (IOException e) {
      throw new UncheckedIOException("built-in.yaml is not in the archive", e);
    }
  }
}
