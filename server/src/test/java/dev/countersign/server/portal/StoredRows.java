package dev.countersign.server.portal;

import dev.countersign.server.TestService;
import dev.countersign.server.store.Database;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The content of a service's SQLite file: every row of every table, as text. */
final class StoredRows {
  /**
   * Tables that the service writes and purges by itself, some time after a call. The number in
   * operator_changes is a lock, which its purge of expired rows takes too.
   */
  private static final Set<String> WRITTEN_LATER =
      Set.of(
          "client_key_uses",
          "replay_claims",
          "replay_floor",
          "idempotent_answers",
          "purge_leases",
          "service_nodes",
          "operator_changes");

  private StoredRows() {}

  /**
   * All rows by table, without the time at which sessions were last active and the tables that
   * change without a request.
   */
  static Map<String, String> of(TestService service) {
    return service
        .part(Database.class)
        .read(
            sql -> {
              Map<String, String> all = new TreeMap<>();
              Set<String> tables =
                  sql.sql("SELECT name FROM sqlite_master WHERE type = 'table'")
                      .query(String.class)
                      .set();
              tables.removeAll(WRITTEN_LATER);
              for (String table : tables) {
                all.put(
                    table,
                    sql.sql("SELECT * FROM " + table).query().listOfRows().stream()
                        .peek(row -> row.remove("last_active_at"))
                        .map(Map::toString)
                        .sorted()
                        .collect(Collectors.joining("\n")));
              }
              return all;
            });
  }
}
