package dev.countersign.server.tables;

/** How a listing sorts text and NULL. */
public enum SortOrder {
  /** Text by Unicode code points and NULL before every value, the same on both databases. */
  CODE_POINTS,
  /** As the database sorts the column by default, so that plain indexes serve the sort. */
  DATABASE
}
