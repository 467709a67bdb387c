package dev.countersign.server.config;

import dev.countersign.server.access.directory.AttributeProperties;
import dev.countersign.server.listings.ListingProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ClassPathResource;

/**
 * The listings that the service serves, with their roles and attributes: those of the configuration
 * and, if the demo is served, the demo's listing.
 *
 * @param listings the listings to serve
 * @param roles the permissions of each role
 * @param attributes the attributes that clients may have
 * @param hasBuiltInRoles whether the operator has configured no roles
 * @param includesDemo whether the listing of the demo is one of the listings
 */
public record ServedListings(
    List<ListingProperties> listings,
    Map<String, List<String>> roles,
    Map<String, AttributeProperties> attributes,
    boolean hasBuiltInRoles,
    boolean includesDemo) {
  private static final Logger LOG = LoggerFactory.getLogger(ServedListings.class);

  /** Returns the listings of the configuration, without the demo. */
  public static ServedListings of(
      CountersignProperties properties, ConfigurableEnvironment environment) {
    return new ServedListings(
        properties.listings(),
        properties.roles(),
        properties.attributes(),
        BuiltInSettings.hasBuiltInRoles(environment),
        false);
  }

  /**
   * Adds the demo's listing, its attribute and, for the built-in roles, the permission to read it.
   * Nothing that the operator has configured changes: if the demo's listing conflicts with it, that
   * listing is left out, and one line of the log says why.
   */
  public ServedListings withDemo() {
    CountersignProperties demo = demo();
    ListingProperties listing = demo.listings().getFirst();
    if (listings.stream().anyMatch(own -> own.path().equals(listing.path()))) {
      LOG.warn("the demo's list {} is left out: the configuration has its own", listing.path());
      return this;
    }
    Map<String, AttributeProperties> allAttributes = new LinkedHashMap<>(attributes);
    for (Map.Entry<String, AttributeProperties> added : demo.attributes().entrySet()) {
      if (isDeclaredOtherwise(added.getKey(), added.getValue())) {
        LOG.warn(
            "the demo's list {} is left out: it needs the attribute {} of type {}, which the"
                + " configuration declares differently",
            listing.path(),
            added.getKey(),
            added.getValue().type());
        return this;
      }
      allAttributes.putIfAbsent(added.getKey(), added.getValue());
    }
    List<ListingProperties> allListings = new ArrayList<>(listings);
    allListings.add(listing);
    return new ServedListings(
        List.copyOf(allListings),
        hasBuiltInRoles ? joined(roles, demo.roles()) : roles,
        allAttributes,
        hasBuiltInRoles,
        true);
  }

  // Two names of attributes must not differ only in case.
  private boolean isDeclaredOtherwise(String name, AttributeProperties wanted) {
    return attributes.entrySet().stream()
        .filter(own -> own.getKey().equalsIgnoreCase(name))
        .anyMatch(
            own -> !own.getKey().equals(name) || !own.getValue().type().equals(wanted.type()));
  }

  private static Map<String, List<String>> joined(
      Map<String, List<String>> roles, Map<String, List<String>> further) {
    Map<String, List<String>> joined = new LinkedHashMap<>(roles);
    further.forEach(
        (role, permissions) ->
            joined.merge(
                role,
                permissions,
                (before, added) -> {
                  List<String> all = new ArrayList<>(before);
                  all.addAll(added);
                  return List.copyOf(all);
                }));
    return joined;
  }

  private static CountersignProperties demo() {
    try {
      return new Binder(
              ConfigurationPropertySources.from(
                  new YamlPropertySourceLoader().load("demo", new ClassPathResource("demo.yaml"))))
          .bind("countersign", CountersignProperties.class)
          .get();
    } catch (IOException e) {
      throw new UncheckedIOException("demo.yaml is not in the archive", e);
    }
  }
}
