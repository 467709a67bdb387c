package dev.countersign.server.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.SQLiteOpenMode;

/**
 * The embedded database: a file in WAL mode, with one connection for writing and several for
 * reading.
 *
 * <p>A process that has opened a file can go on writing to it after somebody has deleted it, and
 * the operating system discards all of that when the process ends. So {@link #lost} compares the
 * file at the path with the file that was opened. It does the same with the two files of the
 * write-ahead log, which SQLite deletes only with the last connection: without them, another
 * program would read a file that lacks the latest commits, begin a second log or share no locks.
 * Beside the file there is a marker, so that a later start does not mistake a lost database for a
 * new installation.
 */
final class SqliteFile {
  static final String NAME = "countersign.db";
  static final int READERS_BESIDE = 4;
  // The number of connections for the registry.
  static final int CONTROL = 1;

  private static final String OLDEST_LIBRARY = "3.51.3";
  private static final int BUSY_MILLIS = 5_000;
  private static final int WAIT_MILLIS = 5_000;
  private static final long MAX_FULL_CHECK_BYTES = 64L << 20;
  // The size of SQLite's library for one system is below this.
  private static final long LIBRARY_SIZE = 4L << 20;
  private static final String MARKER = ".created";
  // With less space than this, a failure to write means that the disk is full.
  private static final long DISK_FULL_BYTES = 1L << 20;
  private static final Logger LOG = LoggerFactory.getLogger(SqliteFile.class);

  private final DataDirectory directory;
  private final Path file;
  private final Path marker;
  private final Use use;
  private final SqliteLog log;
  // The identity of the file that was opened; null before that, and where files have none.
  private @Nullable Object identity;
  // The identities of the files of its log, by path; empty until the connections are open.
  private volatile Map<Path, Object> logIdentities = Map.of();

  private SqliteFile(DataDirectory directory, String name, Use use) {
    this.directory = directory;
    this.file = directory.path().resolve(name);
    this.marker = directory.path().resolve(name + MARKER);
    this.use = use;
    this.log = new SqliteLog(file, new OpenedFile(), System::nanoTime);
  }

  /**
   * The settings that depend on the purpose of a file.
   *
   * @param migrations the folder with the migrations of its schema
   * @param durability the synchronous mode; in WAL mode, a commit survives a power failure only
   *     with {@code FULL}
   * @param readers the number of connections for reading
   * @param loss what a start does if the file is gone
   */
  private record Use(String migrations, SynchronousMode durability, int readers, Loss loss) {}

  private enum Loss {
    REFUSED,
    TOLERATED
  }

  /** Creates the file, or checks an existing file, and migrates its schema. */
  static SqliteFile open(DataDirectory directory) {
    Use use = new Use("sqlite", SynchronousMode.FULL, readerCount(), Loss.REFUSED);
    return new SqliteFile(directory, NAME, use).opened();
  }

  /** Returns whether a directory has no database although it once had one. */
  static boolean isMissing(Path directory) {
    return Files.exists(directory.resolve(NAME + MARKER)) && !Files.exists(directory.resolve(NAME));
  }

  /**
   * Opens another file in the same directory. A power failure may lose the last commits to that
   * file.
   */
  SqliteFile openBeside(String name) {
    Use beside = new Use("sqlite-" + name, SynchronousMode.NORMAL, READERS_BESIDE, Loss.TOLERATED);
    return new SqliteFile(directory, name + ".db", beside).opened();
  }

  private SqliteFile opened() {
    requireDriver();
    return MigrationLock.holding(
        directory,
        () -> {
          requireNotMissing();
          check();
          migrate();
          mark();
          return this;
        });
  }

  /** Loads SQLite, which the driver copies from its jar to a temporary folder. */
  private static void requireDriver() {
    try {
      SQLiteJDBCLoader.initialize();
    } catch (Exception e) {
      throw new StoreException(
          "the SQLite library cannot be loaded from the temporary folder " + temporaryFolder(), e);
    }
  }

  private static String temporaryFolder() {
    Path folder =
        Path.of(System.getProperty("org.sqlite.tmpdir", System.getProperty("java.io.tmpdir")));
    String fault = "cannot be used, perhaps because it is mounted noexec";
    if (!Files.isDirectory(folder)) {
      fault = "does not exist";
    } else if (isReadOnly(folder)) {
      fault = "is read-only";
    } else if (DataDirectory.space(folder.resolve("x")) < LIBRARY_SIZE) {
      fault = "is full";
    }
    return folder
        + ", which "
        + fault
        + ": correct that, or name another folder with"
        + " COUNTERSIGN_JAVA_OPTS=-Dorg.sqlite.tmpdir=DIR";
  }

  private static boolean isReadOnly(Path folder) {
    try {
      return !WriteAccess.isWritable(folder);
    } catch (IOException e) {
      return false;
    }
  }

  private void requireNotMissing() {
    if (!Files.exists(marker) || Files.exists(file)) {
      return;
    }
    if (use.loss == Loss.REFUSED) {
      throw new StoreException(
          "the database file "
              + file
              + " is missing, but "
              + marker.getFileName()
              + " says that it was there: restore a backup, or delete "
              + marker
              + " to begin with an empty database");
    }
    LOG.warn("{} is missing; what it contained is lost, and a new file begins", file);
  }

  private void migrate() {
    try {
      Migrations.run(source(), use.migrations, null, true, file.toString());
    } catch (StoreException e) {
      throw Dialect.sqlException(e)
          .filter(failure -> isFull(file, failure))
          .map(failure -> refused(file, failure))
          .orElse(e);
    }
  }

  private void mark() {
    try {
      identity = identity(file);
      if (!Files.exists(marker)) {
        Files.writeString(
            marker,
            "This directory had the file "
                + file.getFileName()
                + " at the last start. Delete this note only to\n"
                + "begin with an empty file after that one was lost.\n");
      }
    } catch (IOException e) {
      throw new StoreException(
          "the file " + marker + " cannot be written: " + DataDirectory.reason(e), e);
    }
  }

  /**
   * Returns the path of the file, or of a file of its log, if that file was deleted, moved or
   * replaced after it was opened.
   */
  Optional<Path> lost() {
    if (!isAt(file, identity)) {
      return Optional.of(file);
    }
    return logIdentities.entrySet().stream()
        .filter(entry -> !isAt(entry.getKey(), entry.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static boolean isAt(Path path, @Nullable Object identity) {
    try {
      return Objects.equals(identity, identity(path));
    } catch (IOException e) {
      return false;
    }
  }

  /** Notes the files of the log. SQLite does not delete them while the pools have connections. */
  private void noteLog() {
    try {
      Map<Path, Object> found = new LinkedHashMap<>();
      for (String suffix : List.of("-wal", "-shm")) {
        Path path = SqliteLog.beside(file, suffix);
        Object logIdentity = identity(path);
        if (logIdentity != null) {
          found.put(path, logIdentity);
        }
      }
      logIdentities = found;
    } catch (IOException e) {
      LOG.warn("it will not be noticed if the write-ahead log of {} is deleted: {}", file, e);
    }
  }

  // The device and the inode; null on systems that have none, where only the existence counts.
  private static @Nullable Object identity(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  /** Returns the path, for messages. */
  Path path() {
    return file;
  }

  /**
   * Opens the connections: one for writing, for which all writers of this process wait, and several
   * for reading, each with its own snapshot.
   */
  ConnectionPools pools() {
    HikariDataSource writer = open(pool("writer", 1));
    try {
      HikariDataSource control = open(reading("control", CONTROL));
      ConnectionPools.Pair shared =
          new ConnectionPools.Pair(open(reading("readers", use.readers)), writer);
      noteLog();
      return new ConnectionPools(new ConnectionPools.Pair(control, writer), shared, shared);
    } catch (StoreException e) {
      writer.close();
      throw e;
    }
  }

  private HikariConfig reading(String name, int size) {
    HikariConfig pool = pool(name, size);
    pool.setConnectionInitSql("PRAGMA query_only = ON");
    return pool;
  }

  static int readerCount() {
    return Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
  }

  /** Looks at the write-ahead log; to be called every few seconds. */
  void watchLog() {
    log.check();
  }

  SqliteBackup.Form backup(Path target) {
    return SqliteBackup.copy(new OpenedFile(), file, target);
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
    pool.setDataSource(new OpenedFile());
    pool.setMaximumPoolSize(size);
    pool.setMinimumIdle(1);
    pool.setConnectionTimeout(WAIT_MILLIS);
    pool.setMaxLifetime(0);
    pool.setIdleTimeout(0);
    return pool;
  }

  private SQLiteDataSource source() {
    return source(walConfig());
  }

  private SQLiteConfig walConfig() {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(use.durability);
    config.enforceForeignKeys(true);
    config.setGetGeneratedKeys(false);
    config.setBusyTimeout(BUSY_MILLIS);
    return config;
  }

  private SQLiteDataSource source(SQLiteConfig config) {
    config.setBusyTimeout(BUSY_MILLIS);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    return source;
  }

  /**
   * Opens connections to the file that was opened first. A later connection neither creates a file
   * nor reads one that somebody has put in its place.
   */
  private final class OpenedFile extends SQLiteDataSource {
    OpenedFile() {
      super(existing(walConfig()));
      setUrl("jdbc:sqlite:" + file);
    }

    private static SQLiteConfig existing(SQLiteConfig config) {
      config.resetOpenMode(SQLiteOpenMode.CREATE);
      return config;
    }

    @Override
    public SQLiteConnection getConnection(@Nullable String user, @Nullable String password)
        throws SQLException {
      requireOpened();
      SQLiteConnection connection = super.getConnection(user, password);
      try {
        requireOpened();
      } catch (SQLException replaced) {
        connection.close();
        throw replaced;
      }
      return connection;
    }

    private void requireOpened() throws SQLException {
      Optional<Path> lost = lost();
      if (lost.isPresent()) {
        throw new SQLException(lost.get() + " was moved, deleted or replaced");
      }
    }
  }

  private void check() {
    try {
      if (Files.exists(file) && !WriteAccess.isWritable(file)) {
        throw new StoreException(
            "the database file " + file + " is read-only: give its owner write access");
      }
      long size = Files.exists(file) ? Files.size(file) : 0;
      // Not in WAL mode yet, so that a file that is refused does not change.
      try (Connection connection = source(new SQLiteConfig()).getConnection();
          Statement statement = connection.createStatement()) {
        requireLibrary(value(statement, "SELECT sqlite_version()"));
        requireEncoding(value(statement, "PRAGMA encoding"));
        checkContent(connection, size);
        requireNoCollision(connection);
      }
    } catch (SQLException e) {
      throw refused(file, e);
    } catch (IOException e) {
      throw new StoreException(
          "the database file " + file + " cannot be read: " + DataDirectory.reason(e), e);
    }
  }

  private void checkContent(Connection connection, long size) throws SQLException {
    if (size > MAX_FULL_CHECK_BYTES) {
      // Reading all of a large file would delay the start.
      LOG.info(
          "{} has {} MiB, so the start does not look for damage in it; PRAGMA quick_check does",
          file,
          size >> 20);
    } else if (use.loss == Loss.TOLERATED) {
      SqliteCheck.runStrict(connection, file);
    } else {
      SqliteCheck.run(connection, file).forEach(LOG::warn);
    }
  }

  /** Refuses UTF-16, because SQLite would sort and compare texts in the order of its bytes. */
  private void requireEncoding(String encoding) {
    if (!encoding.equals("UTF-8")) {
      throw new StoreException(
          "the database file "
              + file
              + " has the encoding "
              + encoding
              + ", whose texts sort differently: copy its tables into a new file, whose encoding is"
              + " UTF-8");
    }
  }

  private void requireNoCollision(Connection connection) throws SQLException {
    List<String> names = SqliteCollisions.find(connection, file, use.migrations);
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
    if (isFull(file, sqlite)) {
      return new StoreException("the disk of " + file + " is full: free some space first", failure);
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
          case SQLITE_NOTADB -> damage(file, "it is not a database");
          case SQLITE_CORRUPT -> damage(file, "its pages are inconsistent");
          default ->
              "the database file " + file + " cannot be used: " + SqliteDialect.message(sqlite);
        };
    return new StoreException(message, failure);
  }

  // On a full disk, some operations report an I/O error instead.
  private static boolean isFull(Path file, SQLException failure) {
    if (!(failure instanceof SQLiteException sqlite)) {
      return false;
    }
    int primary = sqlite.getResultCode().code & 0xff;
    return primary == SQLiteErrorCode.SQLITE_FULL.code
        || ((primary == SQLiteErrorCode.SQLITE_IOERR.code
                || primary == SQLiteErrorCode.SQLITE_CANTOPEN.code)
            && DataDirectory.space(file) < DISK_FULL_BYTES);
  }

  /** Returns whether SQLite refused a statement, for example because of an unknown function. */
  static boolean isStatementError(SQLException failure) {
    return failure instanceof SQLiteException sqlite
        && (sqlite.getResultCode().code & 0xff) == SQLiteErrorCode.SQLITE_ERROR.code;
  }

  static StoreException damaged(Path file, String why) {
    return new StoreException(damage(file, why));
  }

  private static String damage(Path file, String why) {
    return "the database file "
        + file
        + " is damaged ("
        + why
        + "): keep a copy of it, then restore a backup";
  }
}
