package dev.countersign.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.audit.Author;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.signatures.keys.KeyFingerprint;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys that clients ever had, on both databases. */
class ClientKeyHistoryTest {
  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  /** The history has every key, whatever the way in which it was added. */
  @ParameterizedTest
  @EnumSource
  void keys_addedInAnyWay_areRemembered(TestStore kind) throws SQLException {
    try (Database database = kind.open(folder)) {
      ClientStore store = new ClientStore(database, TestRoles.rules(), clock, new Random(5));
      Author portal = Author.operator("ada", "203.0.113.9");
      String clientId = add(store.by(portal), 0);
      store.by(portal).addKey(clientId, RsaKeyPairs.publicKey(1), clock.instant().plusSeconds(60));
      clock.advance(Duration.ofHours(1));
      store.removeKey(clientId, fingerprint(0));
      store.by(Author.command("root")).addKey(clientId, RsaKeyPairs.publicKey(2), clock.instant());
      clock.advance(Duration.ofHours(1));
      store
          .by(Author.client(clientId, "203.0.113.7"))
          .addKey(clientId, RsaKeyPairs.publicKey(3), clock.instant().plusSeconds(60));
      String schema = kind == TestStore.SQLITE ? "" : "countersign.";
      kind.run(
          folder,
          "INSERT INTO "
              + schema
              + "client_keys (client_id, fingerprint, public_key, bits, added_at)"
              + " VALUES ('"
              + clientId
              + "', 'by hand', 'key', 2048, 7)",
          "DELETE FROM " + schema + "client_keys");

      for (String key : List.of(fingerprint(1), fingerprint(2), fingerprint(3), "by hand")) {
        assertThat(wasKey(database, clientId, key)).as(key).isTrue();
        assertThat(wasKey(database, "another", key)).as(key).isFalse();
      }
      assertThat(wasKey(database, clientId, "another")).isFalse();
      assertThat(lastRotation(database, clientId)).as("only a rotation is noted as one").isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {ClientRows.WAS_KEY, ClientRows.LAST_ROTATION})
  void searches_ofALongHistory_readOneEntryOfAnIndex(String search) {
    for (TestStore kind : TestStore.values()) {
      try (Database database = kind.open(folder.resolve(kind.name()))) {
        database.write(
            sql ->
                sql.sql(
                        "INSERT INTO client_key_history (client_id, fingerprint, added_at, rotated_at)"
                            + " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                            + " WHERE i < 20000)"
                            + " SELECT 'rotator', 'SHA256:' || i, i, i FROM n")
                    .update());
        kind.run(folder.resolve(kind.name()), "ANALYZE");

        assertThat(plan(kind, database, search))
            .as(kind + ": " + search)
            .contains("client_key_history")
            .containsPattern(kind == TestStore.SQLITE ? "SEARCH.*client_id=" : "Index (Only )?Scan")
            .doesNotContain("SCAN client_key_history", "Seq Scan", "Sort", "TEMP B-TREE");
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static String plan(TestStore kind, Database database, String search) {
    String explain = kind == TestStore.SQLITE ? "EXPLAIN QUERY PLAN " : "EXPLAIN ";
    List<Object> parameters =
        List.of("rotator", search.equals(ClientRows.WAS_KEY) ? "SHA256:7" : 19_990);
    List<String> lines =
        database.read(
            sql ->
                sql.sql(explain + search)
                    .params(parameters)
                    .query((row, number) -> row.getString(kind == TestStore.SQLITE ? 4 : 1))
                    .list());
    return String.join("\n", lines);
  }

  private static Optional<Instant> lastRotation(Database database, String clientId) {
    return database.read(sql -> new ClientRows(sql).lastRotation(clientId, Instant.EPOCH));
  }

  private static boolean wasKey(Database database, String clientId, String fingerprint) {
    return database.read(sql -> new ClientRows(sql).wasKeyOf(clientId, fingerprint));
  }

  private static String fingerprint(int key) {
    return KeyFingerprint.of(RsaKeyPairs.publicKey(key)).value();
  }

  private static String add(ClientStore store, int key) {
    return store
        .add(
            new NewClient(
                "Acme",
                List.of("203.0.113.7"),
                List.of("ledger-viewer"),
                RsaKeyPairs.publicKey(key),
                null))
        .clientId();
  }
}
