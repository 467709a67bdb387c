package dev.countersign.server.store;

/** How a database puts the rows of a page in order. */
public enum SortPlan {
  /** It reads an index in order, so it reads no more rows than the page needs. */
  INDEX,
  /** Another server puts the rows of a foreign table in order, in a way that is not known here. */
  FOREIGN,
  /** It sorts the rows of the whole table. */
  SORT
}
