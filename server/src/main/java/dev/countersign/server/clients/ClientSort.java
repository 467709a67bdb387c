package dev.countersign.server.clients;

/** The sort keys of a search for clients. */
public enum ClientSort {
  /** The name, ignoring case; on SQLite only that of A to Z. */
  NAME("LOWER(c.name) {direction}, c.name {direction}"),
  CLIENT_ID("c.client_id {direction}"),
  CREATED("c.created_at {direction}"),
  /** The age of the newest live key. A client without a live key comes last in both directions. */
  KEY_AGE(
      "(SELECT MAX(k.added_at) FROM client_keys k WHERE k.client_id = c.client_id"
          + " AND (k.ends_at IS NULL OR k.ends_at > :now)) {opposite} NULLS LAST"),
  STATUS("c.status {direction}, LOWER(c.name) {direction}"),
  /**
   * The time of the last call. A client that has never called comes first in ascending order and
   * last in descending order.
   */
  LAST_USED(
      "(SELECT MAX(u.last_used_at) FROM client_key_uses u WHERE u.client_id = c.client_id)"
          + " {direction} NULLS {nulls}");

  private final String terms;

  ClientSort(String terms) {
    this.terms = terms;
  }

  /** Returns the terms of an ORDER BY clause. Clients with equal values are sorted by clientId. */
  String terms(Direction direction) {
    boolean ascending = direction == Direction.ASCENDING;
    return terms
            .replace("{direction}", ascending ? "ASC" : "DESC")
            .replace("{opposite}", ascending ? "DESC" : "ASC")
            .replace("{nulls}", ascending ? "FIRST" : "LAST")
        + ", c.client_id";
  }

  /** The sort direction. */
  public enum Direction {
    ASCENDING,
    DESCENDING
  }
}
