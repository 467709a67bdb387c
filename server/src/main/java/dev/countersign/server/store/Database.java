package dev.countersign.server.store;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stores the data of all features, in a SQLite file or in PostgreSQL.
 *
 * <p>All work happens in a transaction. The work receives a {@link JdbcClient}, which is valid only
 * within that transaction and thread. Transactions do not nest: a read or a write inside another
 * transaction throws {@link IllegalStateException}.
 *
 * <p>The connections are separated by purpose. An instance uses those of the portal, the commands
 * and the records of requests. {@link #control} and {@link #forClient} return views that use other
 * connections. A transaction takes at most 10 s on PostgreSQL, including the wait for a connection,
 * whatever the database does; on SQLite, this limit holds for reads. A transaction that the
 * database ends in favour of another one runs again, so its work must not depend on anything that
 * an earlier run did outside the database.
 *
 * <p>A statement that the database refuses throws Spring's {@link DataAccessException}; {@link
 * Dialect#violation} finds the violated rule. If the database cannot answer, {@link
 * StoreUnavailableException} is thrown.
 */
public final class Database implements AutoCloseable {
  // Longer than any page should take to read, and shorter than partners wait for an answer.
  private static final Duration LIMIT = Duration.ofSeconds(10);
  // A start waits longer, because a machine that starts is often busy.
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  // The registry of clients must notice a silent store before what it has read is too old to use.
  private static final Duration CONTROL_LIMIT = Duration.ofSeconds(4);
  // How long a request waits while its client uses all of its share.
  private static final Duration SHARE_WAIT = Duration.ofSeconds(2);
  // How often a transaction runs if the database ends it in favour of another one.
  private static final int MAX_ATTEMPTS = 4;
  // The share of a client, in percent, in a store that does not limit it.
  private static final int FULL_SHARE = 100;
  // The longest pause before the second attempt. It grows in proportion to the attempts made.
  private static final long PAUSE_MILLIS = 20;

  private final Store store;
  private final ConnectionPools.Pair pools;
  private final Duration limit;
  private final @Nullable Caller caller;
  private final boolean isRoot;

  /** Creates a view, which does not close the store. */
  private Database(
      Store store, ConnectionPools.Pair pools, Duration limit, @Nullable Caller caller) {
    this.store = store;
    this.pools = pools;
    this.limit = limit;
    this.caller = caller;
    this.isRoot = false;
  }

  /** The client whose request uses the store, and the time of this request. */
  private record Caller(String clientId, RequestTime time) {}

  private Database(Store store, Duration limit) {
    this.store = store;
    this.pools = store.pools.operators();
    this.limit = limit;
    this.caller = null;
    this.isRoot = true;
  }

  /** The parts that all views of a store have in common. */
  private static final class Store {
    private final Dialect dialect;
    private final @Nullable SqliteFile file;
    private final ConnectionPools pools;
    private final ClientShares shares;
    private final Reachability reachability;
    private final TransactionConnection current = new TransactionConnection();
    private final JdbcOperations operations = new JdbcTemplate(current);
    private final JdbcClient sql = JdbcClient.create(operations);
    // Whether logins may take longer, which is so during a start.
    private final AtomicBoolean slowLoginsAllowed;
    private final Duration requestLimit;
    private volatile @Nullable Thread startingThread;

    Store(
        Dialect dialect,
        @Nullable SqliteFile file,
        ConnectionPools pools,
        Reachability reachability,
        AtomicBoolean slowLoginsAllowed,
        Duration requestLimit,
        int clientShare) {
      this.slowLoginsAllowed = slowLoginsAllowed;
      this.requestLimit = requestLimit;
      this.dialect = dialect;
      this.file = file;
      this.pools = pools;
      this.shares = new ClientShares(pools.partners().readers().getMaximumPoolSize(), clientShare);
      this.reachability = reachability;
    }

    boolean isStarting() {
      return Thread.currentThread().equals(startingThread);
    }
  }

  /**
   * Opens the store, checks it and migrates its schema. Several processes may open the same store
   * at the same time.
   *
   * @throws StoreException if the store cannot be used, with one line for the operator
   */
  public static Database open(StoreSettings settings) {
    return open(settings, LIMIT);
  }

  /**
   * Opens the store of a service that starts. Until {@link #startCompleted}, transactions of the
   * calling thread on PostgreSQL wait up to 60 s for a slow answer; {@link #readTables} waits that
   * long only for a connection. If PostgreSQL refuses a connection, the wait ends at once. Other
   * threads have the usual limits.
   *
   * @throws StoreException if the store cannot be used, with one line for the operator
   */
  public static Database openForStart(StoreSettings settings) {
    Database opened = open(settings);
    if (opened.store.file == null) {
      opened.store.slowLoginsAllowed.set(true);
      opened.store.startingThread = Thread.currentThread();
    }
    return opened;
  }

  /** Ends the start: from now on, all threads have the usual limits. */
  public void startCompleted() {
    if (store.startingThread != null) {
      store.slowLoginsAllowed.set(false);
      store.startingThread = null;
    }
  }

  static Database open(StoreSettings settings, Duration limit) {
    String url = settings.url();
    if (url != null) {
      PostgresqlPools opened = PostgresqlPools.open(settings, url);
      Store store =
          new Store(
              new PostgresqlDialect(opened.schema()),
              null,
              opened.pools(),
              opened.reachability(),
              opened.isStarting(),
              limit,
              settings.connections().clientShare());
      return new Database(store, limit);
    }
    SqliteFile file = SqliteFile.open(DataDirectory.prepare(settings.data()));
    return new Database(sqliteStore(file, limit, settings.connections().clientShare()), limit);
  }

  private static Store sqliteStore(SqliteFile file, Duration limit, int clientShare) {
    SqliteDialect dialect = new SqliteDialect();
    Reachability reachability = new Reachability(dialect.databaseName());
    return new Store(
        dialect, file, file.pools(), reachability, new AtomicBoolean(), limit, clientShare);
  }

  /**
   * Opens a second database, for a large number of rows whose loss in a power failure is
   * acceptable. With SQLite, the second database is a separate file with its own writer, so writes
   * to one file do not wait for writes to the other. With PostgreSQL, the returned object uses the
   * same database and the same connections as this object, and closing it does nothing.
   *
   * @param name the name of the SQLite file without {@code .db}; its migrations are in the folder
   *     {@code sqlite-} followed by this name
   * @throws StoreException if the second database cannot be used, with one line for the operator
   */
  public Database openBeside(String name) {
    SqliteFile file = store.file;
    if (file == null) {
      return new Database(store, pools, limit, null);
    }
    SqliteFile beside = file.openBeside(name);
    return new Database(sqliteStore(beside, limit, FULL_SHARE), limit);
  }

  /**
   * Returns a view of this store with its own few connections, for the registry and the heartbeat,
   * which wait neither for requests nor for the portal. Transactions take at most 4 s.
   */
  public Database control() {
    return new Database(store, store.pools.control(), shorterLimit(CONTROL_LIMIT), null);
  }

  /**
   * Returns a view of this store for short queries on tables of any size, whose results are only
   * hints: each statement takes at most 1 s.
   */
  public Database forHints() {
    // PostgreSQL ends a statement a second before the connection is cut.
    Duration transactionLimit = store.file == null ? Duration.ofSeconds(2) : Duration.ofSeconds(1);
    return new Database(store, pools, shorterLimit(transactionLimit), null);
  }

  private Duration shorterLimit(Duration other) {
    return limit.compareTo(other) < 0 ? limit : other;
  }

  /**
   * Returns a view of this store for a request of a client. All clients share its connections, and
   * one client uses at most its share of them at the same time. Beyond that, a transaction waits up
   * to 2 s, and is then refused with {@link StoreUnavailableException}. With SQLite, only the
   * connections for reading are shared in this way.
   *
   * @param time the time of the request, which all its transactions share
   */
  public Database forClient(String clientId, RequestTime time) {
    return new Database(store, store.pools.partners(), limit, new Caller(clientId, time));
  }

  /**
   * Returns a view of this store for the first attempt of a write. On PostgreSQL, this attempt has
   * six tenths of the time limit. The rest is left to find out whether a commit was lost.
   */
  public Database firstAttempt() {
    if (store.file != null) {
      return this;
    }
    return new Database(store, pools, limit.multipliedBy(6).dividedBy(10), caller);
  }

  /** Returns whether a request has time left after a pause. */
  public boolean hasTimeAfter(Duration pause) {
    return remaining(deadline()).compareTo(pause) > 0;
  }

  // The time of a request begins with its first transaction. A view with a shorter limit, such as
  // that of a first attempt, may end earlier.
  private long deadline() {
    long ownDeadline = System.nanoTime() + limit().toNanos();
    if (caller == null) {
      return ownDeadline;
    }
    long requestDeadline = caller.time.deadline(store.requestLimit);
    return ownDeadline - requestDeadline < 0 ? ownDeadline : requestDeadline;
  }

  /**
   * Returns the maximum number of platform threads that SQLite holds at once: one for each
   * connection that virtual threads use. SQLite's native calls pin a virtual thread to its carrier.
   */
  public static int threadsHeld() {
    return SqliteFile.readerCount() + SqliteFile.READERS_BESIDE + SqliteFile.CONTROL + 1;
  }

  /**
   * Runs queries on one consistent snapshot. The queries cannot change anything.
   *
   * @throws StoreUnavailableException if the database cannot answer within the limit
   */
  public <T extends @Nullable Object> T read(Function<JdbcClient, T> work) {
    return read(store.dialect::beginRead, work);
  }

  /**
   * Runs queries on the operator's tables like {@link #read}. Functions that these tables use see
   * what they would see without the service.
   */
  public <T extends @Nullable Object> T readTables(Function<JdbcClient, T> work) {
    return readTables(CallerSettings.NONE, work);
  }

  /**
   * Runs queries on the operator's tables for a caller, whom policies recognize by the settings.
   */
  public <T extends @Nullable Object> T readTables(
      CallerSettings settings, Function<JdbcClient, T> work) {
    return read(
        // A start waits longer for a connection, but not for a table that somebody has locked.
        (connection, remaining) ->
            store.dialect.beginTableRead(connection, shorterLimit(remaining), settings),
        work);
  }

  /**
   * Counts rows in the transaction that {@link #readTables} has opened on this thread. Call it only
   * from the work that {@link #readTables} runs: it uses the connection of that transaction and
   * opens none. The count may have less time than the transaction.
   *
   * @param count a SELECT that returns one number
   * @param limit how long the count may take, in whole seconds
   * @throws StoreUnavailableException.CountTimeout if the count takes longer than {@code limit}, or
   *     than the time that the transaction has left. The transaction must then end
   * @throws IllegalStateException if no transaction is running on this thread
   */
  public long count(String count, List<Object> parameters, Duration limit) {
    long begunAt = System.nanoTime();
    Duration remaining = remaining(store.current.deadline());
    // PostgreSQL ends a statement a second before the connection is cut.
    long seconds = Math.min(limit.toSeconds(), remaining.minusSeconds(1).toSeconds());
    if (seconds < 1) {
      throw new StoreUnavailableException(
          store.dialect.databaseName() + " left too little time for a count");
    }
    Duration allowed = Duration.ofSeconds(seconds);
    try {
      return store.dialect.count(store.operations, count, parameters.toArray(), allowed, remaining);
    } catch (DataAccessException e) {
      // If its time was not over, somebody else has cancelled the statement.
      boolean isOver = System.nanoTime() - begunAt >= allowed.minusMillis(100).toNanos();
      if (isOver && Dialect.sqlException(e).filter(store.dialect::isTooSlow).isPresent()) {
        throw new StoreUnavailableException.CountTimeout(
            "a count took longer than " + seconds + " s", allowed.equals(limit), e);
      }
      throw e;
    }
  }

  private <T extends @Nullable Object> T read(Begin begin, Function<JdbcClient, T> work) {
    return transact(
        new Transaction(pools.readers(), begin, store.dialect::commitRead, false), work);
  }

  /**
   * Runs a change in one transaction. The transaction is committed, or rolled back if {@code work}
   * throws.
   *
   * <p>SQLite runs one write at a time; other writes wait.
   *
   * @throws StoreUnavailableException if the database cannot answer. The change was not stored,
   *     except after {@link StoreUnavailableException.CommitUnknown}, when it may have been. The
   *     work does not run again then
   */
  public <T extends @Nullable Object> T write(Function<JdbcClient, T> work) {
    Dialect dialect = store.dialect;
    return transact(
        new Transaction(pools.writers(), dialect::beginWrite, dialect::commitWrite, true), work);
  }

  /**
   * Refuses to commit a change if the SQLite file is lost, because the change would be lost with
   * it.
   */
  private void requireFile() {
    Optional<Path> lost = lostFile();
    if (lost.isPresent()) {
      throw new StoreUnavailableException(
          "SQLite is unreachable: " + lost.get() + " was moved, deleted or replaced");
    }
  }

  /**
   * Returns the SQLite file or its write-ahead log, if it was moved, deleted or replaced since it
   * was opened. Writes are then refused, and reads still see the file that was opened. This method
   * looks at the directory and runs no query. Always empty on PostgreSQL.
   */
  public Optional<Path> lostFile() {
    return store.file == null ? Optional.empty() : store.file.lost();
  }

  /**
   * Logs a warning if the write-ahead log of the SQLite file grows because another program keeps a
   * transaction open; does nothing on PostgreSQL. To be called every few seconds.
   */
  public void watchLog() {
    if (store.file != null) {
      store.file.watchLog();
    }
  }

  /**
   * Returns the message with which PostgreSQL refused a new connection of this process within the
   * last minute, for example because the password was changed; empty if it refused none. Open
   * connections continue to work.
   */
  public Optional<String> refusal() {
    return store.reachability.refusal(Duration.ofMinutes(1));
  }

  /** Returns whether the database cannot be reached. The log says so in one line. */
  public boolean isUnreachable() {
    return store.reachability.isLost();
  }

  /** Returns the state of the pools of connections, by their names. */
  public Map<String, HikariPoolMXBean> pools() {
    return store.pools.byName();
  }

  /** Describes where the data is, for messages, without a password. */
  public String location() {
    SqliteFile file = store.file;
    return file == null ? store.dialect.databaseName() : file.path().toString();
  }

  /** Returns the dialect of the database. */
  public Dialect dialect() {
    return store.dialect;
  }

  /**
   * Copies a consistent snapshot of the running database to a directory. {@code serve} can use that
   * directory as its data directory.
   *
   * @param target a directory that is empty or does not exist yet
   * @return the form of the copy
   * @throws StoreException if the copy fails, or if the database is PostgreSQL
   */
  public SqliteBackup.Form backup(Path target) {
    if (store.file == null) {
      throw new StoreException("backup supports only SQLite: use pg_dump to back up PostgreSQL");
    }
    return store.file.backup(target);
  }

  /** Closes all connections of the store, unless this is a view. */
  @Override
  public void close() {
    if (isRoot) {
      store.pools.close();
      store.dialect.close();
    }
  }

  /**
   * A kind of transaction.
   *
   * @param pool the pool of its connection
   * @param isWrite whether its commit changes anything
   */
  private record Transaction(HikariDataSource pool, Begin begin, End end, boolean isWrite) {}

  @FunctionalInterface
  private interface Begin {
    void on(Connection connection, Duration remaining) throws SQLException;
  }

  @FunctionalInterface
  private interface End {
    void on(Connection connection) throws SQLException;
  }

  /**
   * Runs a transaction. Its steps, from the outside to the inside:
   *
   * <ol>
   *   <li>The {@linkplain #deadline() deadline} is set. It is the same for all attempts.
   *   <li>If the database has ended the transaction in favour of another one, it runs again, up to
   *       {@link #MAX_ATTEMPTS} times.
   *   <li>The client's {@linkplain #withinShare share} of the connections is taken, and given back
   *       at the end.
   *   <li>A {@linkplain #onConnection connection} is borrowed, and given back at the end. If the
   *       database was lost before the deadline, all connections are renewed.
   *   <li>The transaction {@linkplain #run begins, does its work and commits}, or rolls back. A
   *       change is committed only if the SQLite file is still the one that was opened.
   * </ol>
   */
  private <T extends @Nullable Object> T transact(
      Transaction transaction, Function<JdbcClient, T> work) {
    store.current.requireNone();
    long deadline = deadline();
    for (int attempt = 1; ; attempt++) {
      try {
        return withinShare(transaction, deadline, work);
      } catch (StoreUnavailableException e) {
        if (attempt == MAX_ATTEMPTS || !isRepeatable(e) || !pauseBeforeRetry(attempt, deadline)) {
          throw e;
        }
      }
    }
  }

  private Duration limit() {
    return store.isStarting() ? START_LIMIT : limit;
  }

  private boolean isRepeatable(StoreUnavailableException failure) {
    return !(failure instanceof StoreUnavailableException.CommitUnknown)
        && Dialect.sqlException(failure).filter(store.dialect::isRepeatable).isPresent();
  }

  /** Waits a moment before the next attempt; returns false if the time is up. */
  private static boolean pauseBeforeRetry(int attempt, long deadline) {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(PAUSE_MILLIS * attempt));
      return remaining(deadline).isPositive();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Duration remaining(long deadline) {
    return Duration.ofNanos(deadline - System.nanoTime());
  }

  private <T extends @Nullable Object> T withinShare(
      Transaction transaction, long deadline, Function<JdbcClient, T> work) {
    // With SQLite, all clients share one writer, so nothing could be left to others.
    if (caller == null || !transaction.pool.equals(store.pools.partners().readers())) {
      return onConnection(transaction, deadline, work);
    }
    String sharing = caller.clientId;
    Duration remaining = remaining(deadline);
    if (!store.shares.acquire(
        sharing, remaining.compareTo(SHARE_WAIT) < 0 ? remaining : SHARE_WAIT)) {
      throw new StoreUnavailableException(
          sharing
              + " uses its share of "
              + store.shares.limit()
              + " connections to "
              + store.dialect.databaseName());
    }
    try {
      return onConnection(transaction, deadline, work);
    } finally {
      store.shares.release(sharing);
    }
  }

  private <T extends @Nullable Object> T onConnection(
      Transaction transaction, long deadline, Function<JdbcClient, T> work) {
    long begunAt = System.nanoTime();
    Connection connection = borrow(transaction.pool, begunAt, deadline);
    try {
      if (!remaining(deadline).isPositive()) {
        throw new StoreUnavailableException(
            "a connection to " + store.dialect.databaseName() + " was free too late");
      }
      T result = run(transaction, connection, deadline, work);
      store.reachability.reached();
      return result;
    } catch (StoreUnavailableException e) {
      if (!Dialect.sqlException(e).filter(store.dialect::isLoss).isPresent()) {
        throw e;
      }
      throw lostConnection(e, begunAt, deadline);
    } finally {
      giveBack(transaction.pool, connection);
    }
  }

  private Connection borrow(HikariDataSource pool, long begunAt, long deadline) {
    while (true) {
      try {
        return store.isStarting()
            ? withLongerTimeout(pool.getConnection())
            : borrowInTime(pool, deadline);
      } catch (SQLException e) {
        // The failure of the last attempt to connect; null if all connections are busy.
        SQLException cause = e.getCause() instanceof SQLException attempt ? attempt : null;
        if (store.isStarting()
            && (cause == null || store.dialect.isSilence(cause))
            && remaining(deadline).isPositive()) {
          continue;
        }
        if (store.file == null && cause != null && store.dialect.isLoss(cause)) {
          noteLoss(cause, begunAt);
        }
        throw new StoreUnavailableException(
            store.dialect.databaseName()
                + " provides no connection"
                + store
                    .reachability
                    .refusal(Duration.ofNanos(System.nanoTime() - begunAt))
                    .map(why -> ": " + why)
                    .orElse("; it is busy or cannot be reached"),
            e);
      }
    }
  }

  /**
   * Borrows a connection within the time that is left. The pool has the same timeout for all
   * transactions. A transaction that has less time lets another thread wait, which gives the
   * connection back if it comes too late.
   */
  private Connection borrowInTime(HikariDataSource pool, long deadline) throws SQLException {
    Duration remaining = remaining(deadline);
    if (store.file != null || remaining.toMillis() >= pool.getConnectionTimeout()) {
      return pool.getConnection();
    }
    CompletableFuture<Connection> borrowed = new CompletableFuture<>();
    Thread.ofVirtual().name("late-borrower").start(() -> borrow(pool, borrowed));
    try {
      return borrowed.get(Math.max(0, remaining.toNanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw giveUp(pool, borrowed, late);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SQLException failure ? failure : new SQLException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw giveUp(pool, borrowed, e);
    }
  }

  /**
   * Stops waiting for a connection: gives it back now if it has just come, or else when it comes.
   */
  private static SQLException giveUp(
      HikariDataSource pool, CompletableFuture<Connection> borrowed, Exception cause) {
    SQLException over = new SQLTransientConnectionException("no connection in time", cause);
    if (!borrowed.completeExceptionally(over) && !borrowed.isCompletedExceptionally()) {
      giveBack(pool, borrowed.resultNow());
    }
    return over;
  }

  private static void borrow(HikariDataSource pool, CompletableFuture<Connection> borrowed) {
    try {
      Connection connection = pool.getConnection();
      if (!borrowed.complete(connection)) {
        giveBack(pool, connection);
      }
    } catch (SQLException | RuntimeException e) {
      borrowed.completeExceptionally(e);
    }
  }

  /** Raises the time limit for answers on a connection, until the pool gets the connection back. */
  private static Connection withLongerTimeout(Connection connection) throws SQLException {
    int afterTheDeadline = Math.toIntExact(START_LIMIT.plusSeconds(5).toMillis());
    try {
      connection.setNetworkTimeout(Runnable::run, afterTheDeadline);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  // At its deadline, the connection of a transaction is cut. That does not mean that the database
  // cannot be reached: the statements of the transaction may together have been too slow.
  private StoreUnavailableException lostConnection(
      StoreUnavailableException failure, long begunAt, long deadline) {
    if (remaining(deadline).isPositive()) {
      Dialect.sqlException(failure).ifPresent(cause -> noteLoss(cause, begunAt));
      return failure;
    }
    return failure instanceof StoreUnavailableException.CommitUnknown
        ? failure
        : new StoreUnavailableException(
            store.dialect.databaseName() + " did not answer within " + limit().toSeconds() + " s",
            failure);
  }

  /** Notes a loss. Then none of the connections can be trusted, whichever pool they belong to. */
  private void noteLoss(SQLException cause, long begunAt) {
    if (store.reachability.lost(begunAt, store.dialect.reason(cause))) {
      store.pools.renew();
    }
  }

  private <T extends @Nullable Object> T run(
      Transaction transaction, Connection connection, long deadline, Function<JdbcClient, T> work) {
    boolean committed = false;
    try {
      transaction.begin.on(connection, remaining(deadline));
      store.current.bind(connection, deadline);
      T result = work.apply(store.sql);
      if (transaction.isWrite) {
        requireFile();
      }
      commit(transaction, connection);
      committed = true;
      return result;
    } catch (SQLException e) {
      renewIfUseless(transaction, e);
      throw translate(e);
    } catch (DataAccessException e) {
      Optional<SQLException> cause = Dialect.sqlException(e);
      cause.ifPresent(failure -> renewIfUseless(transaction, failure));
      throw cause.flatMap(this::unavailable).orElse(e);
    } finally {
      store.current.unbind();
      boolean isUsable = committed || tryRollback(connection);
      isUsable &= endLimit(connection);
      if (!isUsable) {
        transaction.pool.evictConnection(connection);
      }
    }
  }

  private void commit(Transaction transaction, Connection connection) throws SQLException {
    try {
      transaction.end.on(connection);
    } catch (SQLException e) {
      if (transaction.isWrite && store.dialect.isUnknownAfterCommit(e)) {
        throw new StoreUnavailableException.CommitUnknown(
            store.dialect.databaseName()
                + " did not confirm a commit, so the change may have been made",
            e);
      }
      throw e;
    }
  }

  // Every connection of the pool may have prepared a stale statement. If the server is read-only,
  // the connections of all pools may lead to a server that is no longer the primary.
  private void renewIfUseless(Transaction transaction, SQLException failure) {
    if (store.dialect.isStale(failure)) {
      transaction.pool.getHikariPoolMXBean().softEvictConnections();
    } else if (transaction.isWrite && store.dialect.isReadOnly(failure)) {
      store.pools.renew();
    }
  }

  /**
   * Rolls back. Returns false if that fails; the connection is then discarded together with its
   * transaction.
   */
  private boolean tryRollback(Connection connection) {
    try {
      store.dialect.rollback(connection);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** Ends the time limit. Returns false if it cut the connection, which must not be lent again. */
  private boolean endLimit(Connection connection) {
    try {
      return store.dialect.endLimit(connection);
    } catch (SQLException e) {
      throw new IllegalStateException("a connection is not of the driver's type", e);
    }
  }

  private static void giveBack(HikariDataSource pool, Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // It was cut after its last statement. The work itself is not affected.
      pool.evictConnection(connection);
      System.getLogger(Database.class.getName())
          .log(System.Logger.Level.DEBUG, "a connection was discarded", e);
    }
  }

  private RuntimeException translate(SQLException failure) {
    Optional<RuntimeException> unavailable = unavailable(failure);
    if (unavailable.isPresent()) {
      return unavailable.get();
    }
    return store.dialect.violation(failure).isPresent()
        ? new DataIntegrityViolationException(
            "the transaction violates a constraint of the schema", failure)
        : new UncategorizedSQLException("transaction", null, failure);
  }

  private Optional<RuntimeException> unavailable(SQLException failure) {
    return store
        .dialect
        .unavailability(failure)
        .map(
            why ->
                new StoreUnavailableException(
                    store.dialect.databaseName() + " is " + why, failure));
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
