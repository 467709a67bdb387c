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

  /** What a tree becomes, nothing where it is null. */
  @Nullable T from(JsonNode tree, JsonMapper mapper) {
    return mapper.treeToValue(tree, type);
  }

  /** For messages. */
  String name() {
    return type.getRawClass().getSimpleName();
  }

  boolean takes(Class<?> kind) {
    return type.getRawClass().isAssignableFrom(kind);
  }
}
