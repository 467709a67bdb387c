package dev.countersign.server.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The embedded database: a file in WAL mode, with one connection for writing and several for
 * reading.
 */
final class SqliteFile {
  static final String NAME = "countersign.db";
  static final int READERS_BESIDE = 4;

  private static final String OLDEST_LIBRARY = "3.51.3";
  private static final int BUSY_MILLIS = 5_000;
  private static final int WAIT_MILLIS = 15_000;
  private static final long CHECKED_WHOLE = 64L << 20;

  private final DataDirectory directory;
  private final Path file;
  private final Use use;

  private SqliteFile(DataDirectory directory, String name, Use use) {
    this.directory = directory;
    this.file = directory.path().resolve(name);
    this.use = use;
  }

  /**
   * The settings that depend on the purpose of a file.
   *
   * @param migrations the folder with the migrations of its schema
   * @param durability the synchronous mode; in WAL mode, a commit survives a power failure only
   *     with {@code FULL}
   * @param readers the number of connections for reading
   */
  private record Use(String migrations, SynchronousMode durability, int readers) {}

  /** Creates the file, or checks an existing file, and migrates its schema. */
  static SqliteFile open(DataDirectory directory) {
    return new SqliteFile(directory, NAME, new Use("sqlite", SynchronousMode.FULL, readerCount()))
        .opened();
  }

  /**
   * Opens another file in the same directory. A power failure may lose the last commits to that
   * file.
   */
  SqliteFile openBeside(String name) {
    Use beside = new Use("sqlite-" + name, SynchronousMode.NORMAL, READERS_BESIDE);
    return new SqliteFile(directory, name + ".db", beside).opened();
  }

  private SqliteFile opened() {
    return MigrationLock.holding(
        directory,
        () -> {
          check();
          Migrations.run(source(), use.migrations, null, true, file.toString());
          return this;
        });
  }

  /**
   * Returns a pool with the only connection for writing. Other writers in this process wait for
   * that connection.
   */
  HikariDataSource writer() {
    return open(pool("writer", 1));
  }

  /** Returns a pool of connections for reading, each with its own snapshot. */
  HikariDataSource readers() {
    HikariConfig pool = pool("readers", use.readers);
    pool.setConnectionInitSql("PRAGMA query_only = ON");
    return open(pool);
  }

  static int readerCount() {
    return Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
  }

  void backup(Path target) {
    SqliteBackup.copy(source(), file, target);
  }

  private HikariDataSource open(HikariConfig pool) {
    try {
      return new HikariDataSource(pool);
    } catch (PoolInitializationException e) {
      throw Dialect.sqlException(e)
          .map(failure -> refused(file, failure))
          .orElseGet(() -> new StoreException("the database file " + file + " cannot be used", e));
    }
  }

  private HikariConfig pool(String name, int size) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName(use.migrations + "-" + name);
    pool.setDataSource(source());
    pool.setMaximumPoolSize(size);
    pool.setMinimumIdle(1);
    pool.setConnectionTimeout(WAIT_MILLIS);
    pool.setMaxLifetime(0);
    pool.setIdleTimeout(0);
    return pool;
  }

  private SQLiteDataSource source() {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(use.durability);
    config.enforceForeignKeys(true);
    config.setGetGeneratedKeys(false);
    return source(config);
  }

  private SQLiteDataSource source(SQLiteConfig config) {
    config.setBusyTimeout(BUSY_MILLIS);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    return source;
  }

  private void check() {
    try {
      if (Files.exists(file) && !WriteAccess.isWritable(file)) {
        throw new StoreException(
            "the database file " + file + " is read-only: give its owner write access");
      }
      boolean whole = Files.exists(file) && Files.size(file) <= CHECKED_WHOLE;
      // Not in WAL mode yet, so that a file that is refused does not change.
      try (Connection connection = source(new SQLiteConfig()).getConnection();
          Statement statement = connection.createStatement()) {
        requireLibrary(value(statement, "SELECT sqlite_version()"));
        // Reading all of a large file would delay the start.
        requireSound(value(statement, whole ? "PRAGMA quick_check(1)" : "PRAGMA schema_version"));
        requireNoCollision(connection);
      }
    } catch (SQLException e) {
      throw refused(file, e);
    } catch (IOException e) {
      throw new StoreException(
          "the database file " + file + " cannot be read: " + DataDirectory.reason(e), e);
    }
  }

  private void requireNoCollision(Connection connection) throws SQLException {
    List<String> names = SqliteCollisions.find(connection, use.migrations);
    if (!names.isEmpty()) {
      throw new StoreException(
          "the database file "
              + file
              + " has other tables or indexes with names that the service needs for its own: rename "
              + String.join(", ", names)
              + ", or choose another data directory");
    }
  }

  private static String value(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : "";
    }
  }

  private void requireSound(String answer) {
    if (!answer.equals("ok") && !answer.chars().allMatch(Character::isDigit)) {
      // A line such as *** in database main *** is a heading.
      throw new StoreException(
          damaged(
              file,
              answer
                  .lines()
                  .filter(line -> !line.startsWith("***"))
                  .findFirst()
                  .orElse("quick_check")));
    }
  }

  static void requireLibrary(String version) {
    // Older libraries can lose a committed write in a race with a checkpoint (release notes of
    // SQLite 3.51.3).
    if (Runtime.Version.parse(version).compareTo(Runtime.Version.parse(OLDEST_LIBRARY)) < 0) {
      throw new StoreException(
          "the SQLite library is "
              + version
              + ", which can lose a committed write: use sqlite-jdbc with "
              + OLDEST_LIBRARY
              + " or newer");
    }
  }

  static StoreException refused(Path file, SQLException failure) {
    if (!(failure instanceof SQLiteException sqlite)) {
      return new StoreException("the database file " + file + " cannot be opened", failure);
    }
    int primary = sqlite.getResultCode().code & 0xff;
    String message =
        switch (SQLiteErrorCode.getErrorCode(primary)) {
          case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL ->
              "the database file "
                  + file
                  + " is locked by another program: stop that program first";
          case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH ->
              "the database file " + file + " is read-only: give its owner write access";
          case SQLITE_NOTADB -> damaged(file, "it is not a database");
          case SQLITE_CORRUPT -> damaged(file, "its pages are inconsistent");
          case SQLITE_FULL -> "the disk of " + file + " is full: free some space first";
          default ->
              "the database file " + file + " cannot be used: " + sqlite.getResultCode().message;
        };
    return new StoreException(message, failure);
  }

  private static String damaged(Path file, String why) {
    return "the database file "
        + file
        + " is damaged ("
        + why
        + "): keep a copy of it, then restore a backup";
  }
}
