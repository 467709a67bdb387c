package dev.countersign.server.openapi;

import dev.countersign.server.listings.RecordMember;
import dev.countersign.server.store.values.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/** Builds the JSON Schema of a record's member for answers, create requests and paths. */
final class FieldSchema {
  // Constructs of RE2 that may have another meaning in JSON Schema, which uses the regular
  // expressions of ECMA-262.
  private static final Pattern ONLY_IN_RE2 = Pattern.compile("\\(\\?[^:]|\\[\\[?:|\\\\[^dDwW\\W]");

  private FieldSchema() {}

  /**
   * Returns the schema of a member of an answer. It omits the rules for new texts, because the
   * table may have rows that were not created through the interface.
   */
  static Node ofAnswer(RecordMember member) {
    return typed(member.type(), member.nullable());
  }

  /** Returns the schema of a member of a create request. */
  static Node ofRequest(RecordMember member) {
    boolean takesNull = member.giver() == RecordMember.Giver.CALLER_MAY && member.nullable();
    Node schema = typed(member.type(), takesNull);
    RecordMember.Text text = member.text();
    if (text != null) {
      withRules(schema, text, takesNull);
    }
    if (member.fallback() != null) {
      schema.with("default", json(member.type(), member.fallback()));
    }
    return schema;
  }

  /** Returns the schema of a member in a path. */
  static Node ofPath(RecordMember member) {
    return typed(member.type(), false);
  }

  /** Returns the schema of a value that a filter compares a member with. */
  static Node ofFilter(RecordMember member) {
    Node schema = typed(member.type(), false);
    RecordMember.Text text = member.text();
    return text == null || text.oneOf().isEmpty()
        ? schema
        : schema.with("enum", List.copyOf(text.oneOf()));
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

  private static void withRules(Node schema, RecordMember.Text text, boolean takesNull) {
    schema.with("maxLength", text.max());
    String pattern = text.pattern();
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
