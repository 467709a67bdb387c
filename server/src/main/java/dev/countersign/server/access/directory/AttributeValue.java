package dev.countersign.server.access.directory;

import java.util.List;

/** The values that a client's attribute admits. */
public sealed interface AttributeValue {
  /** Every value. */
  AttributeValue EVERYTHING = new Everything();

  /** Every value, also future ones. */
  record Everything() implements AttributeValue {}

  /**
   * These values.
   *
   * @param values one value or more, each a UUID, Long or String, without duplicates
   */
  record Values(List<Object> values) implements AttributeValue {
    public Values {
      values = List.copyOf(values);
      if (values.isEmpty()) {
        throw new IllegalArgumentException("an attribute must have at least one value");
      }
    }
  }
}
