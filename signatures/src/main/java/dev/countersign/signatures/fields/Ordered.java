package dev.countersign.signatures.fields;

import java.util.Iterator;
import java.util.Map;

/** Equality of maps that counts their order, as {@link Map#equals} does not. */
final class Ordered {

  private Ordered() {}

  static <V> boolean equal(Map<String, V> one, Map<String, V> other) {
    if (one.size() != other.size()) {
      return false;
    }
    Iterator<Map.Entry<String, V>> others = other.entrySet().iterator();
    for (Map.Entry<String, V> entry : one.entrySet()) {
      if (!entry.equals(others.next())) {
        return false;
      }
    }
    return true;
  }
}
