package dev.countersign.server.portal.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.access.directory.Attributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's attribute as a page shows it.
 *
 * @param isKnown whether the configuration has the attribute
 * @param problem why the setting admits nothing; null if it admits something
 */
record ShownAttribute(
    String name, AttributeSetting setting, boolean isKnown, @Nullable String problem) {
  private static final int SHORT_SIZE = 3;

  static ShownAttribute of(String name, AttributeSetting setting, Attributes configured) {
    return new ShownAttribute(
        name,
        setting,
        configured.find(name).isPresent(),
        configured.problem(name, setting).orElse(null));
  }

  /** Returns the first values, for a table. */
  public List<String> shortValues() {
    return setting.values().subList(0, Math.min(SHORT_SIZE, setting.values().size()));
  }

  /** Returns the number of values that {@link #shortValues} leaves out. */
  public int furtherValues() {
    return setting.values().size() - shortValues().size();
  }
}
