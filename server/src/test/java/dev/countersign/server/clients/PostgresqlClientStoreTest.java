package dev.countersign.server.clients;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

class PostgresqlClientStoreTest extends ClientStoreContract {
  private static EmbeddedPostgres server;
  private static Database database;

  @BeforeAll
  static void start() throws Exception {
    server = EmbeddedPostgres.start();
    String url = server.getJdbcUrl("postgres", "postgres");
    database = Database.open(new StoreSettings(Path.of("."), url, "postgres", null));
  }

  @AfterAll
  static void stop() throws Exception {
    database.close();
    server.close();
  }

  @Override
  Database database() {
    return database;
  }

  @AfterEach
  void empty() {
    database.write(
        sql -> {
          sql.sql("DELETE FROM client_keys").update();
          return sql.sql("DELETE FROM clients").update();
        });
  }
}
