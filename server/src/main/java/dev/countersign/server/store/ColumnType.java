package dev.countersign.server.store;

/** The type of a column's values, the same on SQLite and PostgreSQL. */
public enum ColumnType {
  /** A {@link java.util.UUID}: SQLite stores its lower-case text. */
  UUID,
  /** Text in UTF-8, ordered by code points. */
  TEXT,
  /** A {@code long}. */
  INTEGER,
  /** A {@link java.math.BigDecimal}: SQLite stores 15 significant digits. */
  DECIMAL,
  /** True or false: SQLite stores 1 or 0. */
  BOOLEAN,
  /** An {@link java.time.Instant}: SQLite stores RFC 3339 text in UTC with milliseconds. */
  TIMESTAMP
}
