package dev.countersign.server.listings;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.ValueSyntax;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.SerializedString;

/** Checks a field's definition against its column. */
final class FieldCheck {
  private final String where;
  private final String name;
  private final FieldProperties properties;
  private final TextRules.Place place;

  FieldCheck(String where, String name, FieldProperties properties, TextRules.Place place) {
    this.where = where;
    this.name = name;
    this.properties = properties;
    this.place = place;
  }

  Field field(ListingCheck.Source source) {
    ListingCheck.requireIdentifier(where + ": its name", name);
    ColumnType type = type();
    Table.Column column = column(source.table());
    if (!column.type().valueTypes().contains(type)) {
      throw problem(mismatch(column, type, source));
    }
    TextRules rules = rules(type, column);
    Object defaultValue = defaultValue(type);
    Field field =
        new Field(
            new SerializedString(name),
            column,
            type,
            rules,
            origin(type, column, defaultValue),
            defaultValue);
    if (defaultValue != null) {
      field.violationOf(defaultValue).ifPresent(this::refuseDefault);
    }
    return field;
  }

  private static String mismatch(Table.Column column, ColumnType type, ListingCheck.Source source) {
    String declared = column.type().declared();
    String columnType = "column " + column.name() + " is " + declared;
    if (!column.type().valueTypes().isEmpty()) {
      return columnType + ", which is not compatible with type " + type.word();
    }
    String viewAdvice =
        ": serve a view that converts it, for example with " + source.dialect().conversion(column);
    return declared.isEmpty()
        ? "column " + column.name() + " declares no type" + viewAdvice
        : columnType
            + (column.type().isArray() ? ", an array" : "")
            + ", which no type can serve"
            + viewAdvice;
  }

  private void refuseDefault(String rule) {
    throw problem("default must " + rule + ", was " + properties.defaultValue());
  }

  private ColumnType type() {
    return ColumnType.parse(properties.type())
        .orElseThrow(
            () -> {
              String types =
                  Arrays.stream(ColumnType.values())
                      .map(ColumnType::word)
                      .collect(Collectors.joining(", "));
              return problem("type must be one of " + types + ", was '" + properties.type() + "'");
            });
  }

  private Table.Column column(Table table) {
    String column = Objects.requireNonNullElse(properties.column(), name);
    return table
        .column(column)
        .orElseThrow(
            () ->
                problem(
                    "table "
                        + table.name()
                        + " has no column "
                        + column
                        + "; its columns are "
                        + table.columns().stream()
                            .map(Table.Column::name)
                            .collect(Collectors.joining(", "))));
  }

  private TextRules rules(ColumnType type, Table.Column column) {
    Integer max = properties.max();
    boolean hasTextRules =
        max != null || properties.pattern() != null || !properties.oneOf().isEmpty();
    if (hasTextRules && type != ColumnType.TEXT) {
      throw problem("max, pattern and one-of apply only to text, but the type is " + type.word());
    }
    int widest = column.type().limits().length().orElse(Integer.MAX_VALUE);
    if (max != null && (max < 1 || max > widest)) {
      throw problem(
          "max must be 1 to " + widest + ", at most the length of its column, was " + max);
    }
    int limit = max != null ? max : Math.min(widest, TextRules.DEFAULT_MAX);
    return new TextRules(limit, pattern(), oneOf(column), place);
  }

  private List<String> oneOf(Table.Column column) {
    List<String> labels = column.type().labels();
    for (String text : properties.oneOf()) {
      if (!labels.isEmpty() && !labels.contains(text)) {
        throw problem(
            "one-of contains "
                + text
                + ", but column "
                + column.name()
                + " accepts only "
                + String.join(", ", labels));
      }
    }
    return properties.oneOf().isEmpty() ? labels : properties.oneOf();
  }

  // Design note: the JDK's patterns backtrack, so one body could occupy a processor for hours or
  // overflow the stack. The time that RE2 needs grows only in proportion to the length of the text.
  private @Nullable Pattern pattern() {
    String pattern = properties.pattern();
    try {
      return pattern == null ? null : Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw problem(
          "pattern must be a regular expression of RE2, "
              + e.getDescription()
              + ": "
              + e.getPattern());
    }
  }

  private @Nullable Object defaultValue(ColumnType type) {
    String text = properties.defaultValue();
    if (text == null) {
      return null;
    }
    if (properties.generated() || Boolean.TRUE.equals(properties.required())) {
      throw problem("default is allowed only for fields that are neither generated nor required");
    }
    return ValueSyntax.parse(type, text)
        .orElseThrow(() -> problem("default must be " + ValueSyntax.rule(type) + ", was " + text));
  }

  private Field.Origin origin(ColumnType type, Table.Column column, @Nullable Object defaultValue) {
    if (column.fill() == Table.Column.Fill.ALWAYS) {
      return computedOrigin(column, defaultValue);
    }
    if (properties.generated()) {
      return generatedOrigin(type, column);
    }
    boolean isNeeded = defaultValue == null && !column.nullable() && !column.isFilled();
    return Objects.requireNonNullElse(properties.required(), isNeeded)
        ? Field.Origin.CALLER_REQUIRED
        : Field.Origin.CALLER_OPTIONAL;
  }

  private Field.Origin computedOrigin(Table.Column column, @Nullable Object defaultValue) {
    if (properties.required() != null || defaultValue != null) {
      throw problem(
          "column " + column.name() + " is computed by the database: remove required and default");
    }
    return Field.Origin.DATABASE;
  }

  private Field.Origin generatedOrigin(ColumnType type, Table.Column column) {
    if (properties.required() != null) {
      throw problem("a generated field cannot be required, because no caller sends it");
    }
    if (type == ColumnType.UUID || type == ColumnType.TIMESTAMP) {
      return Field.Origin.SERVER;
    }
    if (!column.isFilled()) {
      throw problem(
          "generated needs type uuid or timestamp, or a column that the database fills itself");
    }
    return Field.Origin.DATABASE;
  }

  private ListingException problem(String what) {
    return new ListingException(where + ": " + what);
  }
}
