package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

class SqliteFileTest {
  @TempDir Path temporary;
  private Path data;
  private Path file;

  @BeforeEach
  void chooseFile() {
    data = temporary.resolve("data");
    file = data.resolve("countersign.db");
  }

  @Test
  void open_settings_areThoseOfTheDesign() {
    try (Database database = open(data)) {
      assertThat(pragma(database, "journal_mode")).isEqualTo("wal");
      assertThat(pragma(database, "synchronous")).isEqualTo("2");
      assertThat(pragma(database, "foreign_keys")).isEqualTo("1");
      assertThat(database.<String>read(sql -> value(sql, "PRAGMA query_only"))).isEqualTo("1");
    }
  }

  @Test
  void requireLibrary_olderThanSafe_isRefused() {
    assertThatThrownBy(() -> SqliteFile.requireLibrary("3.51.2"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("use sqlite-jdbc with 3.51.3 or newer");
    assertThatCode(() -> SqliteFile.requireLibrary("3.51.3")).doesNotThrowAnyException();
    assertThatCode(() -> SqliteFile.requireLibrary("3.54.1")).doesNotThrowAnyException();
  }

  @Test
  void open_readOnlyFile_isRefused() throws IOException {
    open(data).close();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    assertRefused("the database file " + file + " is read-only: give its owner write access");
  }

  @Test
  void open_notADatabase_isRefused() throws IOException {
    Files.createDirectories(data);
    Files.writeString(file, "Dear diary, ".repeat(1000));
    assertRefused("is damaged (it is not a database): keep a copy of it");
  }

  @Test
  void open_damagedPage_isRefused() throws IOException {
    try (Database database = open(data)) {
      fill(database, 2000);
    }
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(bytes.length() / 2);
      bytes.write(new byte[40_000]);
    }
    assertRefused("is damaged (");
  }

  @Test
  void open_truncated_isRefused() throws IOException {
    try (Database database = open(data)) {
      fill(database, 2000);
    }
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.setLength(bytes.length() / 2);
    }
    assertRefused("is damaged (");
  }

  @Test
  void open_lockedByAnotherProgram_isRefused() throws SQLException {
    open(data).close();
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("PRAGMA locking_mode = EXCLUSIVE");
      statement.execute("BEGIN EXCLUSIVE");
      assertRefused("the database file " + file + " is locked by another program");
    }
  }

  @Test
  @Tag("full")
  void write_lockedTooLong_isUnavailable() throws SQLException {
    try (Database database = open(data);
        Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      assertThatThrownBy(() -> fill(database, 1))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage("SQLite is busy");
      statement.execute("ROLLBACK");
      fill(database, 1);
      assertThat(count(database)).isEqualTo(1);
    }
  }

  @Test
  void write_disk_full_isUnavailableAndRecovers() {
    try (Database database = open(data)) {
      database.write(sql -> value(sql, "PRAGMA max_page_count = 30"));
      assertThatThrownBy(() -> fill(database, 5000))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage("SQLite is full");
      assertThat(count(database)).isZero();
      fill(database, 1);
      assertThat(count(database)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE Wallets (id INTEGER) | wallets",
        "CREATE VIEW audit_head AS SELECT 1; CREATE TABLE clients (id INTEGER)"
            + " | audit_head, clients",
        "CREATE TABLE mine (id INTEGER); CREATE INDEX wallets_by_name ON mine (id)"
            + " | wallets_by_name",
        "CREATE TABLE flyway_schema_history (n INTEGER) | flyway_schema_history"
      })
  void open_fileWithNamesOfTheService_isRefusedAndUnchanged(String statements, String names)
      throws Exception {
    byte[] before = fileMadeBy(statements);

    assertRefused(
        "the database file "
            + file
            + " has other tables or indexes with names that the service needs for its own: rename "
            + names
            + ", or choose another data directory");

    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(1, '1', 'countersign', 'SQL', 'V1__countersign.sql', 4711, 'me', 'now', 1, 1)",
        "(1, '5', 'before', 'BASELINE', 'before', NULL, 'me', 'now', 1, 1)",
        "(1, '1', 'clients', 'JDBC', 'V1__Clients', NULL, 'me', 'now', 1, 1)",
        "(1, '0', 'before', 'BASELINE', 'before', NULL, 'me', 'now', 1, 1),"
            + " (2, '1', 'clients', 'JDBC', 'V1__Clients', NULL, 'me', 'now', 1, 1)",
      })
  void open_fileWithMigrationsOfAnotherProgram_isRefused(String history) throws Exception {
    fileMadeBy(
        """
        CREATE TABLE flyway_schema_history (installed_rank INT, version TEXT, description TEXT,
          type TEXT, script TEXT, checksum INT, installed_by TEXT, installed_on TEXT,
          execution_time INT, success INT);
        INSERT INTO flyway_schema_history VALUES\s"""
            + history);

    assertRefused("rename flyway_schema_history, or choose another data directory");
  }

  @ParameterizedTest
  @CsvSource({
    "countersign, V1__clients.sql, 459603041",
    "countersign, V1__countersign.sql, -2048096101",
    "requests, V1__requests.sql, -1228391892",
    "requests, V1__requests.sql, 1117128536"
  })
  void open_fileOfAnUnreleasedBuild_isRefusedAndUnchanged(String name, String script, int checksum)
      throws Exception {
    try (Database main = open(data);
        Database requests = main.openBeside("requests")) {
      requests.dialect();
    }
    Path made = data.resolve(name + ".db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + made);
        PreparedStatement history =
            connection.prepareStatement(
                "UPDATE flyway_schema_history SET script = ?, checksum = ? WHERE version = '1'")) {
      history.setString(1, script);
      history.setInt(2, checksum);
      history.executeUpdate();
    }
    byte[] before = Files.readAllBytes(made);

    assertThatThrownBy(
            () -> {
              try (Database main = open(data)) {
                main.openBeside("requests").close();
              }
            })
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the database file "
                + made
                + " was made by an unreleased build; start with an empty database");
    assertThat(Files.readAllBytes(made)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM flyway_schema_history WHERE version <> '0'",
        "DELETE FROM flyway_schema_history",
        "DROP TABLE flyway_schema_history"
      })
  void open_afterAnInterruptedFirstStart_continues(String undo) throws Exception {
    fileMadeBy("CREATE TABLE mine (id INTEGER)");
    open(data).close();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      List<String> tables = new ArrayList<>();
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT name FROM sqlite_schema"
                  + " WHERE type = 'table' AND name NOT IN ('mine', 'flyway_schema_history')")) {
        while (rows.next()) {
          tables.add(rows.getString(1));
        }
      }
      for (String table : tables) {
        statement.execute("DROP TABLE " + table);
      }
      statement.execute(undo);
    }

    try (Database database = open(data)) {
      fill(database, 1);
      assertThat(count(database)).isEqualTo(1);
    }
  }

  @Test
  void ownTables_areThoseOfTheMigrations() throws SQLException {
    Set<String> created = new HashSet<>();
    for (String folder : List.of("sqlite", "sqlite-requests")) {
      try (Connection memory = DriverManager.getConnection("jdbc:sqlite::memory:")) {
        Migrations.run(new SingleConnectionDataSource(memory, true), folder, null, false, "memory");
        try (Statement statement = memory.createStatement();
            ResultSet rows =
                statement.executeQuery("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
          while (rows.next()) {
            created.add(rows.getString(1));
          }
        }
      }
    }
    created.remove("wallets");
    created.removeIf(name -> name.startsWith("sqlite_"));
    assertThat(Migrations.OWN_TABLES).isEqualTo(created);
  }

  private byte[] fileMadeBy(String statements) throws Exception {
    Files.createDirectories(data);
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(statements);
    }
    return Files.readAllBytes(file);
  }

  @Test
  void backup_whileWriting_isConsistentAndOpens() throws Exception {
    Path target = temporary.resolve("backup");
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    try (Database database = open(data);
        TestThreads executor = TestThreads.of(Executors.newVirtualThreadPerTaskExecutor())) {
      fill(database, 500);
      var writer =
          executor.submit(
              () -> {
                while (!stop.get()) {
                  // Two rows at a time: a copy with an odd number would be inconsistent.
                  fill(database, 2);
                  written.addAndGet(2);
                }
              });
      try {
        Awaitility.await().until(() -> written.get() >= 20 || writer.isDone());
        database.backup(target);
        int atLeast = written.get();
        Awaitility.await().until(() -> written.get() >= atLeast + 20 || writer.isDone());
      } finally {
        stop.set(true);
      }
      Waits.forResult(writer);
    }
    try (Database copy = open(target)) {
      assertThat(count(copy)).isGreaterThanOrEqualTo(520).isEven();
      assertThat(copy.<String>read(sql -> value(sql, "PRAGMA integrity_check"))).isEqualTo("ok");
      fill(copy, 1);
    }
  }

  @Test
  void backup_targetNotEmpty_isRefused() throws IOException {
    Path target = Files.createDirectories(temporary.resolve("backup"));
    Files.createFile(target.resolve("mine"));
    try (Database database = open(data)) {
      assertThatThrownBy(() -> database.backup(target))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is not empty: choose a new or an empty directory");
      assertThat(target).isDirectoryContaining("glob:**/mine");
      assertThat(target.resolve("countersign.db")).doesNotExist();
    }
  }

  /** Under the usual umask, SQLite would create a file that everybody can read. */
  @Test
  void backup_intoADirectoryOpenToOthers_isReadableByItsOwnerAlone() throws IOException {
    Path target = Files.createDirectory(temporary.resolve("backup"));
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (Database database = open(data)) {
      assertThat(database.backup(target)).isEqualTo(SqliteBackup.Form.COMPACT);
    }
    Path copy = target.resolve("countersign.db");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("rw-------");
  }

  private static Database open(Path directory) {
    return Database.open(StoreSettings.embedded(directory));
  }

  private void assertRefused(String text) {
    assertThatThrownBy(() -> open(data).close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(text)
        .hasMessageNotContaining("\n")
        .hasMessageNotContaining("SELECT");
  }

  private static void fill(Database database, int wallets) {
    database.write(
        sql -> {
          for (int i = 0; i < wallets; i++) {
            sql.sql("INSERT INTO wallets VALUES (?, ?, 'EUR', 'ACTIVE', ?)")
                .params(UUID.randomUUID().toString(), "Wallet " + i, "2026-01-01T00:00:00.000Z")
                .update();
          }
          return wallets;
        });
  }

  private static int count(Database database) {
    return database.read(
        sql -> sql.sql("SELECT count(*) FROM wallets").query(Integer.class).single());
  }

  private static String pragma(Database database, String name) {
    return database.write(sql -> value(sql, "PRAGMA " + name));
  }

  private static String value(JdbcClient sql, String statement) {
    return sql.sql(statement).query((row, number) -> row.getString(1)).single();
  }
}
