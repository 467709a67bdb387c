package dev.countersign.server.tables;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The type of a column's values, the same on SQLite and PostgreSQL. */
public enum ColumnType {
  /** A {@link java.util.UUID}: SQLite stores its lower-case text. */
  UUID,
  /** Text in UTF-8, ordered by code points. */
  TEXT,
  /** A {@code long}. */
  INTEGER,
  /** A {@link java.math.BigDecimal}: SQLite stores a {@code long} or a {@code double}. */
  DECIMAL,
  /** True or false: SQLite stores 1 or 0. */
  BOOLEAN,
  /** An {@link java.time.Instant}: SQLite stores RFC 3339 text in UTC with milliseconds. */
  TIMESTAMP,
  /** A {@link java.time.LocalDate}: SQLite stores its text, such as {@code 2026-11-20}. */
  DATE,
  /** A JSON value, as its text (RFC 8259). It has no order. */
  JSON;

  /** Returns the name of the type in the configuration. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the type with this name in the configuration; empty if there is none. */
  public static Optional<ColumnType> parse(String word) {
    return Arrays.stream(values()).filter(type -> type.word().equals(word)).findFirst();
  }

  /** Returns whether a value of the type can identify a record in its URL. */
  public boolean isKey() {
    return this == UUID || this == TEXT || this == INTEGER;
  }

  /** Returns whether records can be sorted by values of the type. */
  public boolean hasOrder() {
    return this != JSON;
  }
}
