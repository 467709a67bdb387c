package dev.countersign.server.clients;

import dev.countersign.server.store.Database;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.RowCallbackHandler;

/** Finds the names of clients, for pages that have only their clientIds. */
public final class ClientNames {
  private final Database database;

  public ClientNames(Database database) {
    this.database = database;
  }

  /**
   * Returns the names of these clients by clientId. Removed clients are left out.
   *
   * @param clientIds up to 1,000
   */
  public Map<String, String> of(Collection<String> clientIds) {
    if (clientIds.isEmpty()) {
      return Map.of();
    }
    return database.read(
        sql -> {
          Map<String, String> names = new HashMap<>();
          RowCallbackHandler put = row -> names.put(row.getString(1), row.getString(2));
          sql.sql(
                  "SELECT client_id, name FROM clients"
                      + " WHERE status <> 'removed' AND client_id IN (:ids)")
              .param("ids", clientIds)
              .query(put);
          return Map.copyOf(names);
        });
  }
}
