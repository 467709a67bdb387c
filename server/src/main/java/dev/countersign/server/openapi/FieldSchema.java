package dev.countersign.server.openapi;

import dev.countersign.protocol.DecimalText;
import dev.countersign.server.listings.Field;
import dev.countersign.server.listings.TextRules;
import dev.countersign.server.tables.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Builds the JSON Schema of a field for answers, create requests and paths. */
final class FieldSchema {
  // Constructs of RE2 that ECMA-262 lacks or understands differently. JSON Schema uses the regular
  // expressions of ECMA-262.
  private static final Pattern NOT_PORTABLE = Pattern.compile("\\(\\?[^:]|\\[\\[?:|\\\\[^dDwW\\W]");

  // Reads every default that a JSON field can have, with all its digits.
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNumberLength(DecimalText.MAXIMUM_LENGTH)
                          .build())
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private FieldSchema() {}

  /**
   * Returns the schema of a field of an answer. It omits the rules for texts, because they apply
   * only to records that clients create, and the table may have other rows.
   */
  static Node ofAnswer(Field field) {
    return typed(field.type(), field.column().nullable());
  }

  /** Returns the schema of a field of a create request. */
  static Node ofRequest(Field field) {
    Node schema = typed(field.type(), field.takesNull());
    if (field.type() == ColumnType.TEXT) {
      addRules(schema, field.rules(), field.takesNull());
    }
    if (field.defaultValue() != null) {
      schema.put("default", json(field.type(), field.defaultValue()));
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
        : schema.put("enum", List.copyOf(texts));
  }

  private static Node typed(ColumnType type, boolean nullable) {
    if (type == ColumnType.JSON) {
      return Node.of("description", "Any JSON value.");
    }
    String jsonType = jsonType(type);
    Node schema = Node.of("type", nullable ? List.of(jsonType, "null") : jsonType);
    return switch (type) {
      case UUID -> schema.put("format", "uuid");
      case TIMESTAMP -> schema.put("format", "date-time");
      case DATE -> schema.put("format", "date");
      case INTEGER -> schema.put("format", "int64");
      case TEXT, DECIMAL, BOOLEAN, JSON -> schema;
    };
  }

  private static String jsonType(ColumnType type) {
    return switch (type) {
      case UUID, TEXT, TIMESTAMP, DATE, JSON -> "string";
      case INTEGER -> "integer";
      case DECIMAL -> "number";
      case BOOLEAN -> "boolean";
    };
  }

  private static void addRules(Node schema, TextRules rules, boolean takesNull) {
    schema.put("maxLength", rules.max());
    String pattern = rules.pattern() == null ? null : rules.pattern().pattern();
    if (pattern != null && NOT_PORTABLE.matcher(pattern).find()) {
      schema.put("description", "The whole text must match the RE2 expression " + pattern + ".");
    } else if (pattern != null) {
      schema.put("pattern", "^(?:" + pattern + ")$");
    }
    if (!rules.oneOf().isEmpty()) {
      List<Object> values = new ArrayList<>(rules.oneOf());
      if (takesNull) {
        values.add(null);
      }
      schema.put("enum", values);
    }
  }

  private static Object json(ColumnType type, Object value) {
    return switch (type) {
      case UUID, TEXT, TIMESTAMP, DATE -> value.toString();
      case JSON -> JSON.readValue(value.toString(), Object.class);
      case INTEGER, DECIMAL, BOOLEAN -> value;
    };
  }
}
