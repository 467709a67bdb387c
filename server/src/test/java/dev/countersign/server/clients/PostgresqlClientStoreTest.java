package dev.countersign.server.clients;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresqlClientStoreTest extends ClientStoreContract {
  @TempDir private static Path folder;
  private static Database database;

  @BeforeAll
  static void open() {
    database = TestStore.POSTGRESQL.open(folder);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Override
  Database database() {
    return database;
  }

  @Test
  void registry_changeOfAnotherNode_isSeen() {
    try (Database node = TestStore.POSTGRESQL.open(folder);
        ClientRegistry registry = TestRoles.registry(node, TestRoles.attributes())) {
      ClientStore store =
          new ClientStore(database, TestRoles.rules(), new TestClock(), new Random(9));
      NewClient acme =
          new NewClient(
              "Acme",
              List.of("10.0.0.1"),
              List.of("ledger-viewer"),
              RsaKeyPairs.publicKey(3),
              null);
      String id = store.add(acme).clientId();
      Awaitility.await().until(() -> registry.find(id).isPresent());
      store.remove(id);
      Awaitility.await().until(() -> registry.find(id).isEmpty());
    }
  }

  @AfterEach
  void empty() {
    database.write(
        sql -> {
          sql.sql("DELETE FROM client_keys").update();
          sql.sql("DELETE FROM client_attributes").update();
          return sql.sql("DELETE FROM clients").update();
        });
  }
}
