package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

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

  @Test
  void backup_whileWriting_isConsistentAndOpens() throws Exception {
    Path target = temporary.resolve("backup");
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    try (Database database = open(data);
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
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
      while (written.get() < 20 && !writer.isDone()) {
        Thread.sleep(1);
      }
      database.backup(target);
      int atLeast = written.get();
      while (written.get() < atLeast + 20 && !writer.isDone()) {
        Thread.sleep(1);
      }
      stop.set(true);
      writer.get(60, TimeUnit.SECONDS);
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
