package dev.countersign.signatures.fields;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Named values after an item or an inner list, in order: {@code ;created=1618884473;keyid="a"}.
 *
 * <p>Equal parameters have the same keys with the same values in the same order, and therefore the
 * same text. If the order does not matter, compare {@link #asMap()}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.1.2">RFC 9651 3.1.2</a>
 */
public final class Parameters {

  private static final Parameters EMPTY = new Parameters(Map.of(), Set.of());

  private final Map<String, BareItem> values;
  private final Set<String> repeatedKeys;

  /** Takes over the collections without copying them. The keys must have been checked. */
  Parameters(Map<String, BareItem> values, Set<String> repeatedKeys) {
    this.values = Collections.unmodifiableMap(values);
    this.repeatedKeys = Collections.unmodifiableSet(repeatedKeys);
  }

  /** No parameters. */
  public static Parameters empty() {
    return EMPTY;
  }

  /**
   * Copies the map in its iteration order, so pass a {@link LinkedHashMap}.
   *
   * @throws IllegalArgumentException if a key breaks the rule of RFC 9651 3.1.2
   */
  public static Parameters of(Map<String, ? extends BareItem> values) {
    Map<String, BareItem> copy = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> copy.put(KeyRule.check(key), Objects.requireNonNull(value, key)));
    return new Parameters(copy, Set.of());
  }

  /**
   * Returns a copy that also has this value. A new key goes to the end; an existing key keeps its
   * place and gets the new value. Each call copies all values, so use {@link #of} for many values.
   *
   * @throws IllegalArgumentException if the key breaks the rule of RFC 9651 3.1.2
   */
  public Parameters with(String key, BareItem value) {
    Map<String, BareItem> copy = new LinkedHashMap<>(values);
    copy.put(KeyRule.check(key), Objects.requireNonNull(value, "value"));
    return new Parameters(copy, repeatedKeys);
  }

  /** The value of this key, if there is one. */
  public Optional<BareItem> get(String key) {
    return Optional.ofNullable(values.get(key));
  }

  public boolean contains(String key) {
    return values.containsKey(key);
  }

  /** The keys in order; unmodifiable. */
  public Set<String> keys() {
    return values.keySet();
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  public int size() {
    return values.size();
  }

  /** The keys and values in order; unmodifiable. */
  public Map<String, BareItem> asMap() {
    return values;
  }

  /**
   * The keys that occurred more than once in the parsed text. The last value was kept, as RFC 9651
   * 4.2.3.2 requires. A strict caller refuses such a field instead. {@link #equals} does not
   * compare these keys.
   */
  public Set<String> repeatedKeys() {
    return repeatedKeys;
  }

  // RFC 9651 4.1.1.2
  /**
   * The canonical text, each parameter with its leading {@code ;}. Without parameters, the text is
   * empty.
   */
  public String serialize() {
    if (values.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    values.forEach(
        (key, value) -> {
          text.append(';').append(key);
          if (!value.equals(BooleanItem.TRUE)) {
            text.append('=').append(value.serialize());
          }
        });
    return text.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Parameters that && Ordered.equal(values, that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return serialize();
  }
}
