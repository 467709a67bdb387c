package dev.countersign.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What JSON is to become.
 *
 * @param type as Jackson knows it
 */
record JsonType<T>(JavaType type) {

  static <T> JsonType<T> of(Class<T> type, JsonMapper mapper) {
    return new JsonType<>(mapper.constructType(type));
  }

  static <T> JsonType<T> of(TypeReference<T> type, JsonMapper mapper) {
    return new JsonType<>(mapper.constructType(type));
  }

  /** What JSON becomes, nothing where it is null. */
  @Nullable T from(byte[] json, JsonMapper mapper) {
    return mapper.readValue(json, type);
  }

  /** What a tree becomes, nothing where it is null. */
  @Nullable T from(JsonNode tree, JsonMapper mapper) {
    return mapper.treeToValue(tree, type);
  }

  /** For messages. */
  String name() {
    return type.getRawClass().getSimpleName();
  }

  /** Whether a tree is asked for: as JSON it is, and not what it happens to be as well. */
  boolean isTree() {
    return JsonNode.class.isAssignableFrom(type.getRawClass());
  }

  /** Whether nothing is asked for. */
  boolean isVoid() {
    return type.hasRawClass(Void.class) || type.hasRawClass(void.class);
  }

  @SuppressWarnings("NullAway") // The one value that a Void can have.
  T nothing() {
    return null;
  }

  /** Whether this tree is what is asked for. */
  boolean takes(JsonNode tree) {
    return isTree() && type.getRawClass().isInstance(tree);
  }
}
