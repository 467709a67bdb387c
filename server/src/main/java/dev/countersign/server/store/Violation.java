package dev.countersign.server.store;

/** The rule of the schema that refused a row. */
public enum Violation {
  /** Another row has the same value in a unique column or index. */
  UNIQUE,
  /** A NOT NULL column got NULL. */
  NOT_NULL,
  /** A CHECK constraint, a trigger or an exclusion constraint refused the row. */
  CHECK,
  /** The row refers to a row that does not exist. */
  FOREIGN_KEY,
  /** The value does not fit the column: it is too long, too large or of another type. */
  VALUE
}
