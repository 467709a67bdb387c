package dev.countersign.server.listings;

import dev.countersign.server.store.ColumnType;
import dev.countersign.server.store.Table;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.SerializedString;

/**
 * One member of a listing's records and the column behind it, checked against each other.
 *
 * @param json the member's name, ready to be written
 * @param column its column
 * @param type what it holds
 * @param rules what a text must obey; for every other type they say nothing
 * @param origin where a new record's value comes from
 * @param fallback the value of a new record where the caller leaves the member out
 */
record Field(
    SerializedString json,
    Table.Column column,
    ColumnType type,
    TextRules rules,
    Origin origin,
    @Nullable Object fallback) {

  String name() {
    return json.getValue();
  }

  /** Whether a caller may give null. */
  boolean takesNull() {
    return origin == Origin.CALLER && column.nullable();
  }

  /** The rule that a value of the right type breaks, to follow "must"; empty where none. */
  Optional<String> brokenBy(Object value) {
    if (value instanceof String text) {
      return rules.brokenBy(text);
    }
    int decimals = column.maxDecimals().orElse(Integer.MAX_VALUE);
    // The database would round without a word.
    return value instanceof BigDecimal number && number.stripTrailingZeros().scale() > decimals
        ? Optional.of("have at most " + decimals + " digits after the point")
        : Optional.empty();
  }

  /** Where a new record's value comes from. */
  enum Origin {
    /** The caller must give it. */
    CALLER_MUST,
    /** The caller may give it; else the fallback, the column's default or NULL. */
    CALLER,
    /** This server makes it: a random UUID or the time of the creation. */
    SERVER,
    /** The database makes it. */
    DATABASE
  }
}
