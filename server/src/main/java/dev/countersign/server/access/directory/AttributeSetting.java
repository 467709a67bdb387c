package dev.countersign.server.access.directory;

import java.util.List;
import java.util.TreeSet;

/**
 * An attribute's setting on a client record, as it is stored. {@link Attributes#admitted} converts
 * it for the access path, with the type that the configuration has now.
 *
 * @param isEverything whether the attribute admits every value, also future ones
 * @param values the values as text, sorted and without duplicates; empty exactly if the attribute
 *     admits every value
 */
public record AttributeSetting(boolean isEverything, List<String> values) {
  /** Admits every value. */
  public static final AttributeSetting EVERYTHING = new AttributeSetting(true, List.of());

  /** The text for {@link #EVERYTHING} in commands. No attribute can have this text as a value. */
  public static final String WILDCARD = "*";

  public AttributeSetting {
    values = values.size() < 2 ? List.copyOf(values) : List.copyOf(new TreeSet<>(values));
    if (isEverything != values.isEmpty()) {
      throw new IllegalArgumentException("an attribute has either values or everything");
    }
  }

  /**
   * Returns a setting that admits these values.
   *
   * @param values one value or more
   */
  public static AttributeSetting of(List<String> values) {
    return new AttributeSetting(false, values);
  }
}
