package dev.countersign.pagination;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The options that one list allows its callers. Created once per list and shared by all requests.
 *
 * <p>Property names are case-sensitive. They must contain no control characters and no commas: a
 * comma separates a property from its direction.
 *
 * @param sortable the properties that {@code sort} may name, in the order in which messages list
 *     them
 * @param defaultSize number of elements on a page by default, 1 to {@code maximumSize}
 * @param maximumSize maximum number of elements on a page, at least 1
 * @param parameters the names of the list's additional parameters, such as filters, in the order in
 *     which messages list them
 * @param hasCursors whether a page may be asked for by the cursor after which it begins
 */
public record PageRules(
    Set<String> sortable,
    int defaultSize,
    int maximumSize,
    Set<String> parameters,
    boolean hasCursors) {
  private static final PageRules DEFAULTS = new PageRules(Set.of(), 20, 100, Set.of(), false);

  /**
   * Takes a copy of the names, in their order.
   *
   * @throws IllegalArgumentException if a name is not allowed or a size is out of its range
   */
  public PageRules {
    sortable = Collections.unmodifiableSet(new LinkedHashSet<>(sortable));
    sortable.forEach(PageRules::requireName);
    parameters = Collections.unmodifiableSet(new LinkedHashSet<>(parameters));
    for (String name : parameters) {
      requireParameter(name, hasCursors);
    }
    if (maximumSize < 1) {
      throw new IllegalArgumentException("maximumSize must be at least 1, was " + maximumSize);
    }
    if (defaultSize < 1 || defaultSize > maximumSize) {
      throw new IllegalArgumentException(
          "defaultSize must be 1 to " + maximumSize + ", was " + defaultSize);
    }
  }

  /** Creates rules without additional parameters or cursors. */
  public PageRules(Set<String> sortable, int defaultSize, int maximumSize) {
    this(sortable, defaultSize, maximumSize, Set.of(), false);
  }

  /** Pages of 20 elements by default and at most 100, with no sortable properties. */
  public static PageRules defaults() {
    return DEFAULTS;
  }

  /** Returns the {@link #defaults()} with these sortable properties. */
  public static PageRules sortableBy(String... properties) {
    return DEFAULTS.withSortable(Arrays.asList(properties));
  }

  /** Returns a copy with these sortable properties, listed in the collection's order. */
  public PageRules withSortable(Collection<String> properties) {
    return new PageRules(
        new LinkedHashSet<>(properties), defaultSize, maximumSize, parameters, hasCursors);
  }

  /** Returns a copy with this default size. */
  public PageRules withDefaultSize(int size) {
    return new PageRules(sortable, size, maximumSize, parameters, hasCursors);
  }

  /**
   * Returns a copy with this maximum size. To set a maximum below the default size, lower the
   * default first.
   */
  public PageRules withMaximumSize(int size) {
    return new PageRules(sortable, defaultSize, size, parameters, hasCursors);
  }

  /**
   * Returns a copy with these additional parameters. {@link PageRequest#parse} accepts them and
   * hands their values on; without this, it refuses every name but its own.
   */
  public PageRules withParameters(Collection<String> names) {
    return new PageRules(
        sortable, defaultSize, maximumSize, new LinkedHashSet<>(names), hasCursors);
  }

  /**
   * Returns a copy that accepts {@code after}, the cursor after which a page begins. The list makes
   * the cursors and gives them their meaning.
   */
  public PageRules withCursors() {
    return new PageRules(sortable, defaultSize, maximumSize, parameters, true);
  }

  private static void requireParameter(String name, boolean hasCursors) {
    List<String> own = PageQuery.own(hasCursors);
    if (name.isEmpty() || own.contains(name)) {
      throw new IllegalArgumentException(
          "an additional parameter must have another name than "
              + String.join(", ", own)
              + ", was "
              + Printable.of(name));
    }
  }

  private static void requireName(String name) {
    if (name.isBlank()
        || name.indexOf(',') >= 0
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "a sortable property must be a name without commas and control characters, was "
              + Printable.of(name));
    }
  }
}
