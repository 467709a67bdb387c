package dev.countersign.server.clients;

import dev.countersign.server.clients.Client.Status;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoredText;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Searches clients for an operator, and finds when their keys were last used. */
public final class ClientSearch {
  // On PostgreSQL, LOWER follows the collation of its argument. That of clientIds, fingerprints and
  // attributes is C, in which only A to Z change. The text that is compared with them is folded in
  // the same way.
  private static final String MATCHING =
      " FROM clients c WHERE c.status <> 'removed'"
          + " AND (:status = '' OR c.status = :status)"
          + " AND (:text = '%%'"
          + " OR LOWER(c.name) LIKE LOWER(:text) ESCAPE '!'"
          + " OR LOWER(c.client_id) LIKE :folded ESCAPE '!'"
          + " OR LOWER(c.whitelist) LIKE LOWER(:text) ESCAPE '!'"
          + " OR EXISTS (SELECT 1 FROM client_keys f WHERE f.client_id = c.client_id"
          + " AND LOWER(f.fingerprint) LIKE :folded ESCAPE '!')"
          + " OR EXISTS (SELECT 1 FROM client_attributes a WHERE a.client_id = c.client_id"
          + " AND LOWER(a.name || '=' || CASE a.kind WHEN 'everything' THEN '*' ELSE a.value END)"
          + " LIKE :folded ESCAPE '!'))";

  private final Database database;
  private final Clock clock;

  public ClientSearch(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /** Returns a page of the clients found. Removed clients are never found. */
  public ClientSearchResult find(ClientQuery query) {
    return database.read(sql -> page(sql, query));
  }

  /**
   * Returns when each key of a client last verified a request, by fingerprint. Unused keys are left
   * out.
   */
  public Map<String, Instant> lastUses(String clientId) {
    return database.read(
        sql -> {
          Map<String, Instant> uses = new HashMap<>();
          sql.sql("SELECT fingerprint, last_used_at FROM client_key_uses WHERE client_id = ?")
              .param(clientId)
              .query(
                  (RowCallbackHandler)
                      row -> uses.put(row.getString(1), Instant.ofEpochMilli(row.getLong(2))));
          return Map.copyOf(uses);
        });
  }

  private ClientSearchResult page(JdbcClient sql, ClientQuery query) {
    String text = "%" + escapeLike(StoredText.of(query.text())) + "%";
    Map<String, Object> matching =
        Map.of("status", word(query), "text", text, "folded", foldAscii(text));
    long total = sql.sql("SELECT COUNT(*)" + MATCHING).params(matching).query(Long.class).single();
    int last = (int) Math.max(0, (total - 1) / query.size());
    int page = Math.min(query.page(), last);
    List<String> ids =
        sql.sql(
                "SELECT c.client_id"
                    + MATCHING
                    + " ORDER BY "
                    + query.sort().terms(query.direction())
                    + " LIMIT :limit OFFSET :offset")
            .params(matching)
            .param("now", clock.instant().toEpochMilli())
            .param("limit", query.size())
            .param("offset", (long) page * query.size())
            .query((row, number) -> row.getString(1))
            .list();
    return new ClientSearchResult(found(sql, ids), page, query.size(), total);
  }

  private static List<ClientSearchResult.Found> found(JdbcClient sql, List<String> ids) {
    if (ids.isEmpty()) {
      return List.of();
    }
    Map<String, Instant> uses = uses(sql, ids);
    return new ClientRows(sql)
        .all(ids).stream()
            .sorted(Comparator.comparingInt(client -> ids.indexOf(client.clientId())))
            .map(client -> new ClientSearchResult.Found(client, uses.get(client.clientId())))
            .toList();
  }

  private static Map<String, Instant> uses(JdbcClient sql, List<String> ids) {
    Map<String, Instant> uses = new HashMap<>();
    sql.sql(
            "SELECT client_id, MAX(last_used_at) FROM client_key_uses"
                + " WHERE client_id IN (:ids) GROUP BY client_id")
        .param("ids", ids)
        .query(
            (RowCallbackHandler)
                row -> uses.put(row.getString(1), Instant.ofEpochMilli(row.getLong(2))));
    return uses;
  }

  private static String word(ClientQuery query) {
    Status status = query.status();
    return status == null ? "" : status.name().toLowerCase(Locale.ROOT);
  }

  /** Converts the letters A to Z to lower case. */
  private static String foldAscii(String text) {
    StringBuilder folded = new StringBuilder(text.length());
    text.chars().forEach(c -> folded.append((char) (c >= 'A' && c <= 'Z' ? c + 32 : c)));
    return folded.toString();
  }

  /** Escapes a text for LIKE. */
  private static String escapeLike(String text) {
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_");
  }
}
