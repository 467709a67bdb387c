package dev.countersign.server.store;

/** What a column holds, the same on both databases. */
public enum ColumnType {
  /** A {@link java.util.UUID}: SQLite keeps its lower-case text. */
  UUID,
  /** Text in UTF-8, ordered by code points. */
  TEXT,
  /** A {@code long}. */
  INTEGER,
  /** A {@link java.math.BigDecimal}: SQLite keeps 15 significant digits. */
  DECIMAL,
  /** True or false: SQLite keeps 1 or 0. */
  BOOLEAN,
  /** An {@link java.time.Instant}: SQLite keeps RFC 3339 text in UTC with milliseconds. */
  TIMESTAMP
}
