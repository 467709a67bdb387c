package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

@ExtendWith(OutputCaptureExtension.class)
class SqliteLogTest {
  private static final String LINE = "because a program has kept a transaction on the file open";

  @TempDir Path folder;

  @Test
  void log_thatAReaderHolds_isOneLineAfterAMinute(CapturedOutput output) throws SQLException {
    Path file = folder.resolve("a.db");
    SQLiteDataSource source = source(file);
    AtomicLong now = new AtomicLong();
    try (Connection writer = source.getConnection();
        Statement write = writer.createStatement();
        Connection reader = source.getConnection();
        Statement read = reader.createStatement()) {
      write.execute("CREATE TABLE t (a)");
      SqliteLog log = new SqliteLog(file, source, now::get, 10_000);
      write.execute("INSERT INTO t VALUES (zeroblob(100000))");
      pass(now, Duration.ofMinutes(5), log);
      assertThat(output).doesNotContain(LINE);

      read.execute("BEGIN");
      read.executeQuery("SELECT count(*) FROM t").close();
      write.execute("INSERT INTO t VALUES (zeroblob(100000))");
      pass(now, Duration.ofSeconds(59), log);
      assertThat(output).doesNotContain(LINE);
      pass(now, Duration.ofSeconds(1), log);
      pass(now, Duration.ofMinutes(5), log);
      assertThat(output.getAll().lines().filter(line -> line.contains(LINE))).hasSize(1);

      read.execute("COMMIT");
      log.check();
      pass(now, Duration.ofMinutes(5), log);
      assertThat(output.getAll().lines().filter(line -> line.contains(LINE))).hasSize(1);
      assertThat(output).contains("a.db-wal was written back to its file");
    }
  }

  @Test
  void log_ofASymbolicLink_isBesideTheFileItLeadsTo(CapturedOutput output) throws Exception {
    Path file = Files.createFile(Files.createDirectory(folder.resolve("disk")).resolve("a.db"));
    Path link = Files.createSymbolicLink(folder.resolve("link.db"), file);
    SQLiteDataSource source = source(link);
    AtomicLong now = new AtomicLong();
    try (Connection writer = source.getConnection();
        Statement write = writer.createStatement();
        Connection reader = source.getConnection();
        Statement read = reader.createStatement()) {
      write.execute("CREATE TABLE t (a)");
      SqliteLog log = new SqliteLog(link, source, now::get, 10_000);
      read.execute("BEGIN");
      read.executeQuery("SELECT count(*) FROM t").close();
      write.execute("INSERT INTO t VALUES (zeroblob(100000))");
      pass(now, Duration.ofMinutes(1), log);
      assertThat(output).contains(file.toRealPath() + "-wal has ").contains(LINE);
    }
  }

  private static SQLiteDataSource source(Path file) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    return source;
  }

  private static void pass(AtomicLong now, Duration time, SqliteLog log) {
    log.check();
    now.addAndGet(time.toNanos());
    log.check();
  }
}
