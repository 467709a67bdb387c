package dev.countersign.server.clients;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteClientStoreTest extends ClientStoreContract {
  @TempDir private Path data;
  private Database database;

  @Override
  Database database() {
    database = Database.open(StoreSettings.embedded(data));
    return database;
  }

  @AfterEach
  void close() {
    database.close();
  }
}
