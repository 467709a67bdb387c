package dev.countersign.server.store;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stores the data of all features, in a SQLite file or in PostgreSQL.
 *
 * <p>All work happens in a transaction. The work receives a {@link JdbcClient}, which is valid only
 * within that transaction and thread. Transactions do not nest: a read or a write inside another
 * transaction throws {@link IllegalStateException}.
 *
 * <p>A statement that the database refuses throws Spring's {@link DataAccessException}; {@link
 * Dialect#violation} finds the violated rule. If the database cannot answer, {@link
 * StoreUnavailableException} is thrown.
 */
public final class Database implements AutoCloseable {
  // Longer than any page should take to read, and shorter than partners wait for an answer.
  private static final Duration READ_LIMIT = Duration.ofSeconds(10);

  private final Dialect dialect;
  private final HikariDataSource readers;
  private final HikariDataSource writers;
  private final @Nullable SqliteFile file;
  private final boolean ownsPools;
  private final TransactionConnection current = new TransactionConnection();
  private final JdbcClient sql = JdbcClient.create(current);

  private Database(
      Dialect dialect,
      HikariDataSource readers,
      HikariDataSource writers,
      @Nullable SqliteFile file,
      boolean ownsPools) {
    this.dialect = dialect;
    this.readers = readers;
    this.writers = writers;
    this.file = file;
    this.ownsPools = ownsPools;
  }

  /**
   * Opens the store, checks it and migrates its schema. Several processes may open the same store
   * at the same time.
   *
   * @throws StoreException if the store cannot be used, with one line for the operator
   */
  public static Database open(StoreSettings settings) {
    return open(settings, READ_LIMIT);
  }

  static Database open(StoreSettings settings, Duration readLimit) {
    String url = settings.url();
    if (url != null) {
      PostgresqlPool pool = PostgresqlPool.open(settings, url);
      return new Database(
          new PostgresqlDialect(readLimit, pool.schema()),
          pool.connections(),
          pool.connections(),
          null,
          true);
    }
    DataDirectory directory = DataDirectory.prepare(settings.data());
    return on(SqliteFile.open(directory), readLimit);
  }

  private static Database on(SqliteFile file, Duration readLimit) {
    HikariDataSource writer = file.writer();
    try {
      HikariDataSource readers = file.readers();
      return new Database(new SqliteDialect(readLimit), readers, writer, file, true);
    } catch (StoreException e) {
      writer.close();
      throw e;
    }
  }

  /**
   * Opens a second database, for a large number of rows whose loss in a power failure is
   * acceptable. With SQLite, the second database is a separate file with its own writer, so writes
   * to one file do not wait for writes to the other. With PostgreSQL, the returned object uses the
   * same database and the same connections as this object. Closing this object closes those
   * connections.
   *
   * @param name the name of the SQLite file without {@code .db}; its migrations are in the folder
   *     {@code sqlite-} followed by this name
   * @throws StoreException if the second database cannot be used, with one line for the operator
   */
  public Database openBeside(String name) {
    return file == null
        ? new Database(dialect, readers, writers, null, false)
        : on(file.openBeside(name), READ_LIMIT);
  }

  /**
   * Returns the maximum number of platform threads that SQLite holds at once: one for each
   * connection that virtual threads use. SQLite's native calls pin a virtual thread to its carrier.
   */
  public static int threadsHeld() {
    return SqliteFile.readerCount() + SqliteFile.READERS_BESIDE + 1;
  }

  /**
   * Runs queries on one consistent snapshot. The queries cannot change anything.
   *
   * @throws StoreUnavailableException if the database cannot answer, or takes longer than 10 s
   */
  public <T extends @Nullable Object> T read(Function<JdbcClient, T> work) {
    return read(dialect::beginRead, work);
  }

  /**
   * Runs queries on the operator's tables like {@link #read}. Functions that these tables use see
   * what they would see without the service. If the type of a column has changed since a query was
   * prepared, the work runs a second time on a new connection.
   */
  public <T extends @Nullable Object> T readTables(Function<JdbcClient, T> work) {
    return readTables(CallerSettings.NONE, work);
  }

  /**
   * Runs queries on the operator's tables for a caller, whom policies recognize by the settings.
   */
  public <T extends @Nullable Object> T readTables(
      CallerSettings settings, Function<JdbcClient, T> work) {
    return againIfStale(
        () -> read(connection -> dialect.beginTableRead(connection, settings), work));
  }

  private <T extends @Nullable Object> T againIfStale(Supplier<T> transaction) {
    try {
      return transaction.get();
    } catch (StoreUnavailableException e) {
      if (isStale(e)) {
        return transaction.get();
      }
      throw e;
    }
  }

  private boolean isStale(Throwable failure) {
    return Dialect.sqlException(failure).filter(dialect::isStale).isPresent();
  }

  private <T extends @Nullable Object> T read(Begin begin, Function<JdbcClient, T> work) {
    Connection connection = borrow(readers);
    try {
      begin(connection, begin);
      return finish(readers, connection, work);
    } finally {
      endRead(connection);
      giveBack(connection);
    }
  }

  /**
   * Runs a change in one transaction. The transaction is committed, or rolled back if {@code work}
   * throws. If the type of a column has changed since a statement was prepared, the work is rolled
   * back and runs a second time on a new connection.
   *
   * <p>SQLite runs one write at a time; other writes wait.
   *
   * @throws StoreUnavailableException if the database cannot answer. The change was not stored,
   *     except after {@link StoreUnavailableException.CommitUnknown}, when it may have been
   */
  public <T extends @Nullable Object> T write(Function<JdbcClient, T> work) {
    return againIfStale(() -> writeOnce(work));
  }

  private <T extends @Nullable Object> T writeOnce(Function<JdbcClient, T> work) {
    Connection connection = borrow(writers);
    try {
      begin(connection, dialect::beginWrite);
      return finish(
          writers,
          connection,
          client -> {
            T result = work.apply(client);
            requireFile();
            return result;
          });
    } finally {
      giveBack(connection);
    }
  }

  /** Keeps a change from being committed to a file that is deleted when this process ends. */
  private void requireFile() {
    if (isLost() && file != null) {
      throw new StoreUnavailableException(
          "SQLite is unreachable: " + file.path() + " was moved, deleted or replaced");
    }
  }

  /**
   * Returns whether the SQLite file was moved, deleted or replaced since it was opened. Writes are
   * then refused, and reads see the file that was opened. Costs one look at the directory, and no
   * query; always false on PostgreSQL.
   */
  public boolean isLost() {
    return file != null && file.isLost();
  }

  /** Describes where the data is, for messages, without a password. */
  public String location() {
    return file == null ? dialect.databaseName() : file.path().toString();
  }

  /** Returns the dialect of the database. */
  public Dialect dialect() {
    return dialect;
  }

  /**
   * Copies a consistent snapshot of the running database to a directory. {@code serve} can use that
   * directory as its data directory.
   *
   * @param target a directory that is empty or does not exist yet
   * @throws StoreException if the copy fails, or if the database is PostgreSQL
   */
  public void backup(Path target) {
    if (file == null) {
      throw new StoreException("backup supports only SQLite: use pg_dump to back up PostgreSQL");
    }
    file.backup(target);
  }

  @Override
  public void close() {
    if (ownsPools) {
      readers.close();
      writers.close();
      dialect.close();
    }
  }

  private Connection borrow(HikariDataSource pool) {
    current.requireNone();
    try {
      return pool.getConnection();
    } catch (SQLException e) {
      throw new StoreUnavailableException(
          dialect.databaseName() + " provides no connection; it is busy or cannot be reached", e);
    }
  }

  private void endRead(Connection connection) {
    try {
      dialect.endRead(connection);
    } catch (SQLException e) {
      readers.evictConnection(connection);
    }
  }

  private void begin(Connection connection, Begin begin) {
    try {
      begin.on(connection);
    } catch (SQLException e) {
      throw translated(e);
    }
  }

  private <T extends @Nullable Object> T finish(
      HikariDataSource pool, Connection connection, Function<JdbcClient, T> work) {
    boolean committed = false;
    current.bind(connection);
    try {
      T result = work.apply(sql);
      dialect.commit(connection);
      committed = true;
      return result;
    } catch (SQLException e) {
      throw translated(e);
    } catch (DataAccessException e) {
      if (isStale(e)) {
        // Every connection may have prepared the statement.
        pool.getHikariPoolMXBean().softEvictConnections();
      }
      throw Dialect.sqlException(e).flatMap(this::unavailable).orElse(e);
    } finally {
      current.unbind();
      if (!committed) {
        undo(pool, connection);
      }
    }
  }

  /** Rolls back. If that fails, discards the connection together with its transaction. */
  private void undo(HikariDataSource pool, Connection connection) {
    try {
      dialect.rollback(connection);
    } catch (SQLException e) {
      pool.evictConnection(connection);
    }
  }

  private static void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // The pool discards a connection that it cannot take back. The work itself is not affected.
      System.getLogger(Database.class.getName())
          .log(System.Logger.Level.DEBUG, "a connection was discarded", e);
    }
  }

  private RuntimeException translated(SQLException failure) {
    Optional<RuntimeException> unavailable = unavailable(failure);
    if (unavailable.isPresent()) {
      return unavailable.get();
    }
    return dialect.violation(failure).isPresent()
        ? new DataIntegrityViolationException(
            "the transaction violates a constraint of the schema", failure)
        : new UncategorizedSQLException("transaction", null, failure);
  }

  private Optional<RuntimeException> unavailable(SQLException failure) {
    return dialect
        .unavailability(failure)
        .map(why -> new StoreUnavailableException(dialect.databaseName() + " is " + why, failure));
  }

  @FunctionalInterface
  private interface Begin {
    void on(Connection connection) throws SQLException;
  }

  /**
   * The settings of a transaction that tell the operator's own policies of row-level security who
   * calls. PostgreSQL keeps them until the end of the transaction. SQLite has no policies and does
   * not ask for the values.
   */
  @FunctionalInterface
  public interface CallerSettings {
    /** No settings: the service itself reads. */
    CallerSettings NONE = Map::of;

    /** Returns the value of each setting, such as {@code countersign.client_id}. */
    Map<String, String> values();
  }
}
