package dev.countersign.server.audit;

import dev.countersign.server.store.StoredText;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A change, for the audit trail.
 *
 * <p>The maps contain only what the change is about. They never contain a private key, a password
 * or a token; a public key is given by its fingerprint and size. The values are text, whole
 * numbers, booleans, and lists and maps of such values.
 *
 * @param action such as {@code client.added}: the kind of object, a dot, and what happened to the
 *     object
 * @param subject such as {@code client:cl-…}: the kind of object, a colon, and the object's
 *     identifier
 * @param before the state before; empty if there was nothing
 * @param after the state after; empty if there is nothing
 */
public record Change(
    String action, String subject, Map<String, Object> before, Map<String, Object> after) {

  public Change {
    if (action.isBlank() || subject.isBlank()) {
      throw new IllegalArgumentException("a change needs an action and a subject");
    }
    action = StoredText.of(action);
    subject = StoredText.of(subject);
    before = plain(before);
    after = plain(after);
  }

  /** Creates a change that its action and subject describe completely, such as a sign-in. */
  public static Change of(String action, String subject) {
    return new Change(action, subject, Map.of(), Map.of());
  }

  private static Map<String, Object> plain(Map<?, ?> map) {
    Map<String, Object> plain = new TreeMap<>();
    map.forEach((key, value) -> plain.put(StoredText.of((String) key), plain(value)));
    return Collections.unmodifiableMap(plain);
  }

  private static Object plain(Object value) {
    return switch (value) {
      case String text -> StoredText.of(text);
      case Integer number -> number.longValue();
      case Long number -> number;
      case Boolean truth -> truth;
      case List<?> list -> list.stream().map(Change::plain).toList();
      case Map<?, ?> map -> plain(map);
      default ->
          throw new IllegalArgumentException(
              "an entry can contain only text, whole numbers, booleans, lists and maps, not "
                  + value.getClass().getName());
    };
  }
}
