package dev.countersign.server.openapi;

import dev.countersign.server.listings.Field;
import dev.countersign.server.listings.TextRules;
import dev.countersign.server.tables.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/** Builds the JSON Schema of a field for answers, create requests and paths. */
final class FieldSchema {
  // Constructs of RE2 that may have another meaning in JSON Schema, which uses the regular
  // expressions of ECMA-262.
  private static final Pattern ONLY_IN_RE2 = Pattern.compile("\\(\\?[^:]|\\[\\[?:|\\\\[^dDwW\\W]");

  private FieldSchema() {}

  /**
   * Returns the schema of a field of an answer. It omits the rules for new texts, because the table
   * may have rows that were not created through the interface.
   */
  static Node ofAnswer(Field field) {
    return typed(field.type(), field.column().nullable());
  }

  /** Returns the schema of a field of a create request. */
  static Node ofRequest(Field field) {
    Node schema = typed(field.type(), field.takesNull());
    if (field.type() == ColumnType.TEXT) {
      withRules(schema, field.rules(), field.takesNull());
    }
    if (field.fallback() != null) {
      schema.with("default", json(field.type(), field.fallback()));
    }
    return schema;
  }

  /** Returns the schema of a field in a path. */
  static Node ofPath(Field field) {
    return typed(field.type(), false);
  }

  /** Returns the schema of a value that a filter compares a field with. */
  static Node ofFilter(Field field) {
    Node schema = typed(field.type(), false);
    List<String> texts = field.rules().oneOf();
    return field.type() != ColumnType.TEXT || texts.isEmpty()
        ? schema
        : schema.with("enum", List.copyOf(texts));
  }

  private static Node typed(ColumnType type, boolean nullable) {
    if (type == ColumnType.JSON) {
      return Node.of("description", "Any JSON value.");
    }
    String word = word(type);
    Node schema = Node.of("type", nullable ? List.of(word, "null") : word);
    return switch (type) {
      case UUID -> schema.with("format", "uuid");
      case TIMESTAMP -> schema.with("format", "date-time");
      case DATE -> schema.with("format", "date");
      case INTEGER -> schema.with("format", "int64");
      case TEXT, DECIMAL, BOOLEAN, JSON -> schema;
    };
  }

  private static String word(ColumnType type) {
    return switch (type) {
      case UUID, TEXT, TIMESTAMP, DATE, JSON -> "string";
      case INTEGER -> "integer";
      case DECIMAL -> "number";
      case BOOLEAN -> "boolean";
    };
  }

  private static void withRules(Node schema, TextRules text, boolean takesNull) {
    schema.with("maxLength", text.max());
    String pattern = text.pattern() == null ? null : text.pattern().pattern();
    if (pattern != null && ONLY_IN_RE2.matcher(pattern).find()) {
      schema.with("description", "The whole text must match the RE2 expression " + pattern + ".");
    } else if (pattern != null) {
      schema.with("pattern", "^(?:" + pattern + ")$");
    }
    if (!text.oneOf().isEmpty()) {
      List<Object> values = new ArrayList<>(text.oneOf());
      if (takesNull) {
        values.add(null);
      }
      schema.with("enum", values);
    }
  }

  private static Object json(ColumnType type, Object value) {
    return switch (type) {
      case UUID, TEXT, TIMESTAMP, DATE -> value.toString();
      case JSON -> JsonMapper.shared().readValue(value.toString(), Object.class);
      case INTEGER, DECIMAL, BOOLEAN -> value;
    };
  }
}
