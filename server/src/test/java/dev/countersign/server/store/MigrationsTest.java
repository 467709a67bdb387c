package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MigrationsTest {
  @TempDir Path directory;
  @TempDir Path later;

  @ParameterizedTest
  @EnumSource
  void open_laterSchemaOfTheMinorVersion_works(TestStore store) throws IOException {
    store.open(directory).close();
    migrateLater(
        store,
        "V998__later_table.sql",
        "CREATE TABLE later (id INTEGER NOT NULL PRIMARY KEY);",
        "V999__later_column.sql",
        "ALTER TABLE wallets ADD COLUMN later VARCHAR(20) DEFAULT 'new';");
    for (int start = 0; start < 2; start++) {
      try (Database database = store.open(directory)) {
        database.write(
            sql ->
                sql.sql(
                        "INSERT INTO wallets (id, name, currency_code, status, created_at)"
                            + " VALUES (?, 'n', 'EUR', 'ACTIVE', ?)")
                    .param(database.dialect().bind(UUID.randomUUID()))
                    .param(database.dialect().bind(Instant.EPOCH))
                    .update());
        assertThat(wallets(database)).isEqualTo(start + 1);
      }
    }
    assertThat(versions(store)).endsWith("998", "999");
  }

  @ParameterizedTest
  @EnumSource
  void open_schemaOfTheNextMinorVersion_isRefused(TestStore store) throws IOException {
    store.open(directory).close();
    migrateLater(store, "V1000__next_minor.sql", "CREATE TABLE later (id INTEGER PRIMARY KEY);");
    assertThatThrownBy(() -> store.open(directory).close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is version 1000, which a newer Countersign created")
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @EnumSource
  void open_failedLaterMigration_isRefused(TestStore store) throws IOException, SQLException {
    store.open(directory).close();
    migrateLater(store, "V999__later.sql", "CREATE TABLE later (id INTEGER PRIMARY KEY);");
    String no = store == TestStore.SQLITE ? "0" : "false";
    store.run(
        directory, "UPDATE " + history(store) + " SET success = " + no + " WHERE version = '999'");
    assertThatThrownBy(() -> store.open(directory).close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is version 999, which a newer Countersign created");
  }

  /** A start compares the applied migrations with its own, even if none is missing. */
  @ParameterizedTest
  @EnumSource
  void open_migrationThatDiffers_isRefused(TestStore store) throws SQLException {
    store.open(directory).close();
    store.run(directory, "UPDATE " + history(store) + " SET description = 'x' WHERE version = '1'");
    assertThatThrownBy(() -> store.open(directory).close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("description mismatch for migration version 1");
  }

  /** In a file of SQLite, such a migration is taken for another program's. */
  @Test
  void open_migrationWithAnotherChecksum_isRefused() throws SQLException {
    TestStore.POSTGRESQL.open(directory).close();
    TestStore.POSTGRESQL.run(
        directory,
        "UPDATE countersign.flyway_schema_history SET checksum = checksum + 1 WHERE version = '1'");
    assertThatThrownBy(() -> TestStore.POSTGRESQL.open(directory).close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("checksum mismatch for migration version 1");
  }

  @Test
  void versions_ofThisBuild_areThoseOfItsMinorVersion() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/resources/db/migration"))) {
      assertThat(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(name -> name.endsWith(".sql")))
          .isNotEmpty()
          .allMatch(name -> name.matches("V[1-9][0-9]{0,2}__[a-z_]+[.]sql"));
    }
  }

  /** Applies further migrations, as a later build would. */
  private void migrateLater(TestStore store, String... namesAndScripts) throws IOException {
    for (int i = 0; i < namesAndScripts.length; i += 2) {
      Files.writeString(later.resolve(namesAndScripts[i]), namesAndScripts[i + 1]);
    }
    assertThat(flyway(store).migrate().migrationsExecuted).isEqualTo(namesAndScripts.length / 2);
  }

  private static String history(TestStore store) {
    return store == TestStore.SQLITE
        ? "flyway_schema_history"
        : "countersign.flyway_schema_history";
  }

  private List<String> versions(TestStore store) {
    return Arrays.stream(flyway(store).info().applied())
        .map(MigrationInfo::getVersion)
        .map(String::valueOf)
        .toList();
  }

  private Flyway flyway(TestStore store) {
    boolean sqlite = store == TestStore.SQLITE;
    StoreSettings settings = store.settings(directory);
    return Flyway.configure()
        .dataSource(
            sqlite ? "jdbc:sqlite:" + directory.resolve("countersign.db") : settings.url(),
            settings.user(),
            null)
        .locations(
            "classpath:db/migration/" + (sqlite ? "sqlite" : "postgresql"), "filesystem:" + later)
        .defaultSchema(sqlite ? null : StoreSettings.SCHEMA)
        .createSchemas(false)
        .load();
  }

  private static long wallets(Database database) {
    return database.read(sql -> sql.sql("SELECT count(*) FROM wallets").query(Long.class).single());
  }
}
