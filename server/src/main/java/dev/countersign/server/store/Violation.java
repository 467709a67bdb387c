package dev.countersign.server.store;

/** Which rule of the schema refused a row. */
public enum Violation {
  /** Another row has the same value in a unique column or index. */
  UNIQUE,
  /** A column that takes no NULL got one. */
  NOT_NULL,
  /** A CHECK constraint, a trigger or an exclusion constraint said no. */
  CHECK,
  /** The row refers to one that does not exist. */
  FOREIGN_KEY,
  /** The value does not fit the column: too long, too large, another type. */
  VALUE
}
