package dev.countersign.server.listings.suggestions;

import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.Table;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Chooses a field's type among the types that its column supports. */
final class SuggestedType {
  private SuggestedType() {}

  /**
   * Returns the type that the declaration of the column suggests, or else the narrowest type; empty
   * if the column supports no type.
   *
   * <p>The declaration matters in SQLite, where a column of any integer type can also hold booleans
   * and decimals, and a column of text also UUIDs and timestamps.
   */
  static Optional<ColumnType> of(Table.Column column) {
    Set<ColumnType> types = column.type().valueTypes();
    String declared = column.type().base().toLowerCase(Locale.ROOT);
    return types.stream()
        .sorted()
        .filter(type -> Pattern.compile(declarationPattern(type)).matcher(declared).find())
        .findFirst()
        .or(() -> types.stream().sorted().filter(type -> type != ColumnType.TEXT).findFirst())
        .or(() -> types.stream().findFirst());
  }

  /** Returns why a column that supports no type has no field. */
  static String reasonForNone(Table.Column column) {
    String declared = column.type().declared();
    return declared.isEmpty() ? "the column declares no type" : "no field has the type " + declared;
  }

  /** Returns the type of the column as a key; empty if it cannot be a key. */
  static Optional<ColumnType> ofKey(Table.Column column) {
    return of(column)
        .filter(ColumnType::isKey)
        .or(
            () ->
                column.type().valueTypes().stream().filter(ColumnType::isKey).sorted().findFirst());
  }

  /** Returns a regular expression that finds the type in a declaration. */
  private static String declarationPattern(ColumnType type) {
    return switch (type) {
      case BOOLEAN -> "bool";
      // Matches whole words, because SQLite stores integers in a column of any type whose name
      // contains INT, such as POINT.
      case INTEGER -> "\\b(tiny|small|medium|big|unsigned )?int(eger|[0-9]+)?\\b|serial";
      case DECIMAL -> "num|decimal|real|floa|doub";
      case TIMESTAMP -> "timestamp|datetime";
      case TEXT -> "char|clob|text";
      default -> type.name().toLowerCase(Locale.ROOT);
    };
  }
}
