package dev.countersign.pagination;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What one list allows its callers to ask for. Made once a list, shared by all its requests.
 *
 * <p>Property names are case-sensitive and hold neither commas (the comma parts a property from its
 * direction) nor control characters.
 *
 * @param sortable the properties that {@code sort} may name, in the order that messages list them
 * @param defaultSize elements on a page where the caller does not say, 1 to {@code maximumSize}
 * @param maximumSize the most elements on a page, at least 1
 */
public record PageRules(Set<String> sortable, int defaultSize, int maximumSize) {
  private static final PageRules DEFAULTS = new PageRules(Set.of(), 20, 100);

  /**
   * Takes a copy of the names, in their order.
   *
   * @throws IllegalArgumentException where a name or a size is out of its range
   */
  public PageRules {
    sortable = Collections.unmodifiableSet(new LinkedHashSet<>(sortable));
    sortable.forEach(PageRules::requireName);
    if (maximumSize < 1) {
      throw new IllegalArgumentException("maximumSize must be at least 1, was " + maximumSize);
    }
    if (defaultSize < 1 || defaultSize > maximumSize) {
      throw new IllegalArgumentException(
          "defaultSize must be 1 to " + maximumSize + ", was " + defaultSize);
    }
  }

  /** Pages of 20, at most 100, and nothing to sort by. */
  public static PageRules defaults() {
    return DEFAULTS;
  }

  /** The {@link #defaults()}, sortable by these properties. */
  public static PageRules sortableBy(String... properties) {
    return DEFAULTS.withSortable(Arrays.asList(properties));
  }

  /** These rules with other sortable properties, listed in the collection's order. */
  public PageRules withSortable(Collection<String> properties) {
    return new PageRules(new LinkedHashSet<>(properties), defaultSize, maximumSize);
  }

  /** These rules with another default size. */
  public PageRules withDefaultSize(int size) {
    return new PageRules(sortable, size, maximumSize);
  }

  /** These rules with another maximum; to go below the default size, lower that one first. */
  public PageRules withMaximumSize(int size) {
    return new PageRules(sortable, defaultSize, size);
  }

  private static void requireName(String name) {
    if (name.isBlank()
        || name.indexOf(',') >= 0
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "a sortable property must be a name without commas and controls, was "
              + Printable.of(name));
    }
  }
}
