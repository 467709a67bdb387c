package dev.countersign.server.listings;

import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.SerializedString;

/**
 * A member of a listing's records and its column, which {@link FieldCheck} has checked against each
 * other. Requests, the OpenAPI document and the portal all read this.
 *
 * @param json the member's name, prepared for writing
 * @param column the column
 * @param type the type of the values
 * @param rules the rules for a text; they have no effect on other types
 * @param origin the source of a new record's value
 * @param defaultValue the value of a new record if the caller omits the member; null if the
 *     configuration sets none
 */
public record Field(
    SerializedString json,
    Table.Column column,
    ColumnType type,
    TextRules rules,
    Origin origin,
    @Nullable Object defaultValue) {

  /** Returns the member's name. */
  public String name() {
    return json.getValue();
  }

  /** Returns whether a caller may give null. */
  public boolean takesNull() {
    return origin == Origin.CALLER_OPTIONAL && column.nullable();
  }

  /** Returns whether the server or the database makes the value of a new record. */
  public boolean isGenerated() {
    return origin == Origin.SERVER || origin == Origin.DATABASE;
  }

  /** Returns whether every insert of a new record sets the column. */
  boolean isAlwaysInserted() {
    return origin == Origin.CALLER_REQUIRED || origin == Origin.SERVER || defaultValue != null;
  }

  /**
   * Returns the rule that a value of the right type violates, as a continuation of "must"; empty if
   * the value violates no rule.
   */
  Optional<String> violationOf(Object value) {
    return (type == ColumnType.TEXT ? rules.violationOf((String) value) : Optional.<String>empty())
        .or(() -> violationUnder(column.type().limits(), value));
  }

  /**
   * Returns the rule that a value of the right type violates, so that a column with these limits
   * would change the value. The rule is a continuation of "must"; empty if the value violates no
   * rule.
   */
  Optional<String> violationUnder(Table.Column.Limits limits, Object value) {
    ColumnLimits rules = new ColumnLimits(limits);
    return switch (type) {
      case TEXT -> rules.violationOfText((String) value);
      case DECIMAL -> rules.violationOfDecimal((BigDecimal) value);
      case TIMESTAMP -> rules.violationOfTimestamp((Instant) value);
      case JSON -> rules.violationOfJson((String) value);
      case UUID, INTEGER, BOOLEAN, DATE -> Optional.empty();
    };
  }

  /** The source of a new record's value. */
  public enum Origin {
    /** The caller must give the value. */
    CALLER_REQUIRED,
    /**
     * The caller may give the value. Otherwise it is the default in the configuration, the column's
     * default or NULL.
     */
    CALLER_OPTIONAL,
    /** The server generates the value: a random UUID or the time of the creation. */
    SERVER,
    /** The database generates the value. */
    DATABASE
  }
}
