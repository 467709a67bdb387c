package dev.countersign.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The target type of a conversion from JSON.
 *
 * @param type as Jackson represents it
 */
record JsonType<T>(JavaType type) {

  static <T> JsonType<T> of(Class<T> type, JsonMapper mapper) {
    return new JsonType<>(mapper.constructType(type));
  }

  static <T> JsonType<T> of(TypeReference<T> type, JsonMapper mapper) {
    return new JsonType<>(mapper.constructType(type));
  }

  /** The converted value; null if the JSON is null. */
  @Nullable T from(byte[] json, JsonMapper mapper) {
    return mapper.readValue(json, type);
  }

  /** The converted value; null if the JSON is null. */
  @Nullable T from(JsonNode tree, JsonMapper mapper) {
    return mapper.treeToValue(tree, type);
  }

  /** The name for messages. */
  String name() {
    return type.getRawClass().getSimpleName();
  }

  /** Whether the caller asked for a tree: for JSON as it is, not converted. */
  boolean isTree() {
    return JsonNode.class.isAssignableFrom(type.getRawClass());
  }

  /** Whether the caller asked for nothing. */
  boolean isVoid() {
    return type.hasRawClass(Void.class) || type.hasRawClass(void.class);
  }

  @SuppressWarnings("NullAway") // The only value that a Void can have.
  T nothing() {
    return null;
  }

  /** Whether this tree is of the kind of tree that was asked for. */
  boolean takes(JsonNode tree) {
    return isTree() && type.getRawClass().isInstance(tree);
  }
}
