package dev.countersign.server.openapi;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Validates JSON against the schemas of a document. Supports the part of JSON Schema 2020-12 that
 * the document uses, and rejects every other keyword. In addition, every member of an object must
 * be described.
 */
final class SchemaCheck {
  private static final Set<String> ANNOTATIONS =
      Set.of("description", "default", "example", "format");

  private final Map<String, Object> document;
  private final List<String> problems = new ArrayList<>();

  private SchemaCheck(Map<String, Object> document) {
    this.document = document;
  }

  /** The problem with a value; empty if there is none. */
  static List<String> problems(Map<String, Object> document, Object schema, JsonNode value) {
    SchemaCheck check = new SchemaCheck(document);
    check.value("$", schema, value);
    check.undescribed("$", schema, value);
    return check.problems;
  }

  /** The target of a reference within the document. */
  static Object resolve(Map<String, Object> document, String reference) {
    Object place = document;
    for (String step : reference.replaceFirst("^#/", "").split("/")) {
      place = place instanceof Map<?, ?> map ? map.get(step) : null;
    }
    if (place == null) {
      throw new IllegalStateException(reference + " leads nowhere");
    }
    return place;
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> object(Object schema) {
    Map<String, Object> map = (Map<String, Object>) schema;
    Object reference = map.get("$ref");
    return reference == null ? map : object(resolve(document, (String) reference));
  }

  private void value(String path, Object schema, JsonNode value) {
    object(schema).forEach((keyword, rule) -> keyword(path, keyword, rule, value));
    format(path, object(schema).get("format"), value);
  }

  private void keyword(String path, String keyword, Object rule, JsonNode value) {
    switch (keyword) {
      case "type" -> require(path, hasType(rule, value), "is not of type " + rule);
      case "enum" -> require(path, contains((List<?>) rule, value), "is not one of " + rule);
      case "const" -> require(path, contains(List.of(rule), value), "is not " + rule);
      case "minimum" -> require(path, compare(value, rule) >= 0, "is less than " + rule);
      case "maximum" -> require(path, compare(value, rule) <= 0, "is more than " + rule);
      case "minLength" -> require(path, length(value) >= (int) rule, "is shorter than " + rule);
      case "maxLength" -> require(path, length(value) <= (int) rule, "is longer than " + rule);
      case "pattern" -> require(path, matches((String) rule, value), "does not match " + rule);
      case "required" ->
          ((List<?>) rule).forEach(n -> require(path, value.has((String) n), "has no " + n));
      case "properties" -> properties(path, (Map<?, ?>) rule, value);
      case "additionalProperties" -> require(path, rule.equals(false), "is described oddly");
      case "items" -> items(path, rule, value);
      case "allOf" -> ((List<?>) rule).forEach(part -> value(path, part, value));
      default -> require(path, ANNOTATIONS.contains(keyword), "has the unknown rule " + keyword);
    }
  }

  private void properties(String path, Map<?, ?> members, JsonNode value) {
    members.forEach(
        (name, schema) -> {
          if (value.has((String) name)) {
            value(path + "." + name, schema, value.get((String) name));
          }
        });
  }

  private void items(String path, Object schema, JsonNode value) {
    for (int i = 0; i < value.size(); i++) {
      value(path + "[" + i + "]", schema, value.get(i));
      undescribed(path + "[" + i + "]", schema, value.get(i));
    }
  }

  private void undescribed(String path, Object schema, JsonNode value) {
    if (value.isObject()) {
      Set<String> rest = new LinkedHashSet<>(value.propertyNames());
      rest.removeAll(described(schema));
      require(path, rest.isEmpty(), "has members that are not described: " + rest);
    }
  }

  private Set<String> described(Object schema) {
    Set<String> names = new LinkedHashSet<>();
    Map<String, Object> rules = object(schema);
    if (rules.get("properties") instanceof Map<?, ?> members) {
      members.keySet().forEach(name -> names.add((String) name));
    }
    if (rules.get("allOf") instanceof List<?> parts) {
      parts.forEach(part -> names.addAll(described(part)));
    }
    return names;
  }

  private void format(String path, Object format, JsonNode value) {
    if (format == null || !value.isString()) {
      return;
    }
    try {
      switch ((String) format) {
        case "uuid" -> UUID.fromString(value.stringValue());
        case "date-time" -> OffsetDateTime.parse(value.stringValue());
        case "uri" -> java.net.URI.create(value.stringValue());
        default -> require(path, false, "has the unknown format " + format);
      }
    } catch (RuntimeException malformed) {
      require(path, false, "is no " + format);
    }
  }

  private static boolean hasType(Object rule, JsonNode value) {
    if (rule instanceof List<?> types) {
      return types.stream().anyMatch(type -> hasType(type, value));
    }
    return switch ((String) rule) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "null" -> value.isNull();
      default -> false;
    };
  }

  private static boolean contains(List<?> values, JsonNode value) {
    String text = value.isNull() ? "null" : value.asString();
    return values.stream().map(String::valueOf).anyMatch(text::equals);
  }

  private static int compare(JsonNode value, Object bound) {
    return value.isNumber() ? value.decimalValue().compareTo(new BigDecimal(bound.toString())) : 0;
  }

  private static int length(JsonNode value) {
    String text = value.isString() ? value.stringValue() : "";
    return text.codePointCount(0, text.length());
  }

  private static boolean matches(String pattern, JsonNode value) {
    return !value.isString() || Pattern.compile(pattern).matcher(value.stringValue()).find();
  }

  private void require(String path, boolean holds, String problem) {
    if (!holds) {
      problems.add(path + " " + problem);
    }
  }
}
