package dev.countersign.signatures.fields;

import java.util.Iterator;
import java.util.Map;

/** Compares maps including the order of their entries, which {@link Map#equals} ignores. */
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
