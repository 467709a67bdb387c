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
import org.springframework.jdbc.core.simple.JdbcClient;

/** The keys that clients ever had, on both databases. */
class ClientKeyHistoryTest {
  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  @ParameterizedTest
  @EnumSource
  void migration_takesFormerKeysAndRotationsFromTheAuditTrail(TestStore kind) throws SQLException {
    String clientId;
    Instant rotated;
    try (Database database = kind.open(folder)) {
      ClientStore store = new ClientStore(database, TestRoles.rules(), clock, new Random(5));
      clientId = add(store, 0);
      clock.advance(Duration.ofHours(1));
      rotated = clock.instant();
      store
          .by(Author.client(clientId, "203.0.113.7"))
          .addKey(clientId, RsaKeyPairs.publicKey(1), rotated.plusSeconds(60));
      clock.advance(Duration.ofHours(1));
      store.addKey(clientId, RsaKeyPairs.publicKey(2), clock.instant());
      store.removeKey(clientId, fingerprint(1));
    }
    String prefix = kind == TestStore.SQLITE ? "" : "countersign.";
    kind.run(
        folder,
        kind == TestStore.SQLITE
            ? "DROP TRIGGER client_keys_remembered"
            : "DROP FUNCTION countersign.client_key_remember() CASCADE",
        "DROP TABLE " + prefix + "client_key_history",
        "DELETE FROM " + prefix + "flyway_schema_history WHERE version = '18'");

    try (Database database = kind.open(folder)) {
      assertThat(wasKey(database, clientId, 0)).isTrue();
      assertThat(wasKey(database, clientId, 1)).isTrue();
      assertThat(wasKey(database, clientId, 2)).isTrue();
      assertThat(wasKey(database, clientId, 3)).isFalse();
      assertThat(wasKey(database, "another", 0)).isFalse();
      assertThat(database.<List<String>>read(ClientKeyHistoryTest::rotations))
          .containsExactly(fingerprint(1) + " " + rotated.toEpochMilli());
      assertThat(lastRotation(database, clientId)).contains(rotated);
    }
  }

  @ParameterizedTest
  @EnumSource
  void keyOfAnOlderBuild_isRememberedToo(TestStore kind) {
    try (Database database = kind.open(folder)) {
      ClientStore store = new ClientStore(database, TestRoles.rules(), clock, new Random(5));
      String clientId = add(store, 0);
      // An older build knows the table client_keys only.
      database.write(
          sql ->
              sql.sql(
                      "INSERT INTO client_keys (client_id, fingerprint, public_key, bits, added_at)"
                          + " VALUES (?, ?, 'key', 2048, 7)")
                  .param(clientId)
                  .param(fingerprint(1))
                  .update());
      database.write(sql -> sql.sql("DELETE FROM client_keys WHERE added_at = 7").update());

      assertThat(wasKey(database, clientId, 1)).isTrue();
      assertThat(lastRotation(database, clientId)).isEmpty();
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

  private static List<String> rotations(JdbcClient sql) {
    return sql.sql(
            "SELECT fingerprint || ' ' || rotated_at FROM client_key_history"
                + " WHERE rotated_at IS NOT NULL")
        .query(String.class)
        .list();
  }

  private static Optional<Instant> lastRotation(Database database, String clientId) {
    return database.read(sql -> new ClientRows(sql).lastRotation(clientId, Instant.EPOCH));
  }

  private static boolean wasKey(Database database, String clientId, int key) {
    return database.read(sql -> new ClientRows(sql).wasKeyOf(clientId, fingerprint(key)));
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
