package dev.countersign.server.openapi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON object of the OpenAPI document, with its members in insertion order. */
final class Node {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private Node() {}

  static Node empty() {
    return new Node();
  }

  static Node of(String name, Object value) {
    return new Node().put(name, value);
  }

  /** Creates a reference within the document, such as {@code schemas/Problem}. */
  static Node ref(String component) {
    return of("$ref", "#/components/" + component);
  }

  /** Creates a schema of a type, such as {@code string}. */
  static Node type(String type) {
    return of("type", type);
  }

  /** Adds a member to this object, and returns this object. A list may contain nodes. */
  Node put(String name, Object value) {
    members.put(name, plain(value));
    return this;
  }

  private static Object plain(Object value) {
    if (value instanceof Node node) {
      return node.map();
    }
    return value instanceof List<?> list ? list.stream().map(Node::plain).toList() : value;
  }

  Map<String, Object> map() {
    return Collections.unmodifiableMap(members);
  }
}
