package dev.countersign.server.openapi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An object of the document on its way, its members in the order in which they are put. */
final class Node {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private Node() {}

  static Node empty() {
    return new Node();
  }

  static Node of(String name, Object value) {
    return new Node().with(name, value);
  }

  /** A reference within the document, such as {@code schemas/Problem}. */
  static Node ref(String component) {
    return of("$ref", "#/components/" + component);
  }

  /** A schema of a type, such as {@code string}. */
  static Node type(String type) {
    return of("type", type);
  }

  /** Puts a member; a list may hold nodes. */
  Node with(String name, Object value) {
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
