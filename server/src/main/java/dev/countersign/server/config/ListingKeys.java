package dev.countersign.server.config;

import dev.countersign.server.commands.CommandException;
import dev.countersign.server.listings.ListingProperties;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Refuses unknown keys in listings.
 *
 * <p>Design note: Spring refuses unknown settings, but not below a key of a list's element, such as
 * {@code listings[0].fields.name.patern}. Without this check, that mistyped key would leave the
 * field unchecked.
 */
final class ListingKeys implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  private static final ConfigurationPropertyName LISTINGS =
      ConfigurationPropertyName.of("countersign.listings");
  private static final Set<String> LISTING_KEYS = keys(ListingProperties.class);
  private static final Set<String> FIELD_KEYS = keys(FieldProperties.class);
  private static final Set<String> TOTALS_KEYS = Set.of("cache");

  // The index of KEY, counted from 0, in countersign.listings[n].KEY,
  // countersign.listings[n].totals.KEY and countersign.listings[n].fields.NAME.KEY. Spring counts
  // [n] as an element.
  private static final int LISTING_KEY_INDEX = 3;
  private static final int TOTALS_KEY_INDEX = 4;
  private static final int FIELD_KEY_INDEX = 5;

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    List<String> unknown =
        names(ConfigurationPropertySources.get(context.getEnvironment()))
            .filter(ListingKeys::isUnknown)
            .map(ConfigurationPropertyName::toString)
            .sorted()
            .toList();
    if (!unknown.isEmpty()) {
      throw new CommandException("unknown settings: " + String.join(", ", unknown));
    }
  }

  private static Stream<ConfigurationPropertyName> names(
      Iterable<ConfigurationPropertySource> sources) {
    Stream.Builder<ConfigurationPropertyName> names = Stream.builder();
    for (ConfigurationPropertySource source : sources) {
      if (source instanceof IterableConfigurationPropertySource iterable) {
        iterable.forEach(names::add);
      }
    }
    return names.build().filter(LISTINGS::isAncestorOf);
  }

  private static boolean isUnknown(ConfigurationPropertyName name) {
    return isUnknown(name, LISTING_KEY_INDEX, LISTING_KEYS)
        || (isIn(name, "fields") && isUnknown(name, FIELD_KEY_INDEX, FIELD_KEYS))
        || (isIn(name, "totals") && isUnknown(name, TOTALS_KEY_INDEX, TOTALS_KEYS));
  }

  private static boolean isIn(ConfigurationPropertyName name, String key) {
    return name.getNumberOfElements() > LISTING_KEY_INDEX
        && name.getElement(LISTING_KEY_INDEX, Form.UNIFORM).equals(key);
  }

  private static boolean isUnknown(ConfigurationPropertyName name, int index, Set<String> known) {
    return name.getNumberOfElements() > index
        && !known.contains(name.getElement(index, Form.UNIFORM));
  }

  private static Set<String> keys(Class<? extends Record> settings) {
    return Arrays.stream(settings.getConstructors()[0].getParameters())
        .map(ListingKeys::key)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String key(Parameter component) {
    Name name = component.getAnnotation(Name.class);
    return (name == null ? component.getName() : name.value()).toLowerCase(Locale.ROOT);
  }
}
