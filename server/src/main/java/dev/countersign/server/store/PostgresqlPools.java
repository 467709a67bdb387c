package dev.countersign.server.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import com.zaxxer.hikari.util.DriverDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * The connections to PostgreSQL.
 *
 * @param pools the pools
 * @param schema the schema of the service's own tables
 * @param reachability whether PostgreSQL can be reached
 * @param isStarting whether logins may take longer, because the service starts
 */
record PostgresqlPools(
    ConnectionPools pools,
    PostgresqlSchema schema,
    Reachability reachability,
    AtomicBoolean isStarting) {
  private static final String PREFIX = "jdbc:postgresql:";
  // One connection holds the lock of the migrations, another one migrates.
  private static final int MIGRATION_CONNECTIONS = 2;
  // How long a start waits for a connection to a slow server. One that refuses ends the start.
  private static final Duration START_WAIT = Duration.ofSeconds(60);

  /**
   * How long a request waits for a free connection. Together with the check of the connection, this
   * leaves time for the work.
   */
  static final Duration WAIT = Duration.ofSeconds(4);

  private static final Duration CONTROL_WAIT = Duration.ofSeconds(2);
  // How long the driver waits for an answer. Longer than any limit of a transaction, which cuts the
  // connection first: this is for the pool's own use of a connection.
  private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(15);
  // How long the driver tries to connect to one host.
  private static final int CONNECT_TIMEOUT_SECONDS = 3;

  /** Opens the pools and migrates the schema. */
  static PostgresqlPools open(StoreSettings settings, String url) {
    if (!url.startsWith(PREFIX)) {
      throw new StoreException(
          "spring.datasource.url must begin with " + PREFIX + ", was " + shown(url));
    }
    PostgresqlSchema schema = prepare(settings, url);
    HikariConfig migrating = forStart(settings, url, "migrations", MIGRATION_CONNECTIONS);
    migrating.setConnectionInitSql(schema.setOwnPathForSession());
    try (HikariDataSource pool = connect(migrating, url)) {
      Migrations.run(pool, "postgresql", schema.name(), schema.isOccupied(), shown(url));
    }
    StoreSettings.Connections sizes = settings.connections();
    Reachability reachability = new Reachability(PostgresqlDialect.NAME);
    AtomicBoolean isStarting = new AtomicBoolean();
    DataSource logins =
        new WatchedLogins(
            logins(settings, url, isStarting::get, SOCKET_TIMEOUT),
            reachability,
            PostgresqlDialect::loginRefusal);
    return new PostgresqlPools(
        new ConnectionPools(
            serving(config("control", sizes.control(), logins), CONTROL_WAIT),
            serving(config("operators", sizes.operators(), logins), WAIT),
            serving(config("partners", sizes.partners(), logins), WAIT)),
        schema,
        reachability,
        isStarting);
  }

  private static PostgresqlSchema prepare(StoreSettings settings, String url) {
    try (HikariDataSource pool = connect(forStart(settings, url, "start", 1), url);
        Connection connection = pool.getConnection()) {
      requireUtf8(connection, url);
      PostgresqlSchema schema = PostgresqlSchema.prepare(connection, settings.schema());
      connection.commit();
      return schema;
    } catch (SQLException e) {
      throw unreachable(url, e);
    }
  }

  /** Returns the URL without its parameters, which may contain a password. */
  static String shown(String url) {
    return url.replaceAll("[?].*", "").replaceAll("//[^/@]*@", "//");
  }

  private static DataSource logins(
      StoreSettings settings, String url, BooleanSupplier isPatient, Duration timeoutAfterLogin) {
    return new BoundedLogins(
        answerTimeout -> source(settings, url, answerTimeout),
        isPatient,
        PostgresqlDialect::isSilentLogin,
        timeoutAfterLogin);
  }

  private static DataSource source(StoreSettings settings, String url, Duration answerTimeout) {
    Properties properties = new Properties();
    properties.setProperty("ApplicationName", "countersign");
    properties.setProperty("connectTimeout", String.valueOf(CONNECT_TIMEOUT_SECONDS));
    properties.setProperty("loginTimeout", "0");
    properties.setProperty("sslResponseTimeout", String.valueOf(answerTimeout.toMillis()));
    properties.setProperty("socketTimeout", String.valueOf(answerTimeout.toSeconds()));
    properties.setProperty("tcpKeepAlive", "true");
    return new DriverDataSource(url, null, properties, settings.user(), settings.password());
  }

  /** Returns the configuration of a pool for the start, whose statements have no time limit. */
  private static HikariConfig forStart(StoreSettings settings, String url, String use, int size) {
    return config(use, size, logins(settings, url, () -> true, Duration.ZERO));
  }

  private static HikariConfig config(String use, int size, DataSource logins) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("postgresql-" + use);
    config.setDataSource(logins);
    config.setExceptionOverrideClassName(OwnEviction.class.getName());
    // Commits an initial statement, which a rollback of the first transaction would otherwise undo.
    config.setIsolateInternalQueries(true);
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(START_WAIT.toMillis());
    config.setAutoCommit(false);
    return config;
  }

  /**
   * Opens a pool for a running service. It connects when it is used, and closes connections that
   * nobody needs for ten minutes.
   */
  private static ConnectionPools.Pair serving(HikariConfig config, Duration wait) {
    config.setConnectionTimeout(wait.toMillis());
    config.setValidationTimeout(wait.toMillis() / 2);
    config.setMinimumIdle(0);
    config.setInitializationFailTimeout(-1);
    return ConnectionPools.Pair.of(new HikariDataSource(config));
  }

  private static HikariDataSource connect(HikariConfig config, String url) {
    try {
      return new HikariDataSource(config);
    } catch (PoolInitializationException e) {
      throw unreachable(url, e);
    }
  }

  /**
   * Keeps the pool from discarding connections after a failure, because it would log a stack trace
   * for each. {@link Database} discards them itself.
   */
  public static final class OwnEviction implements SQLExceptionOverride {
    @java.lang.Override
    public Override adjudicate(SQLException failure) {
      return Override.DO_NOT_EVICT;
    }
  }

  // COLLATE "C" sorts text by its bytes. The result is in the order of code points only if the
  // encoding is UTF-8.
  private static void requireUtf8(Connection connection, String url) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW server_encoding")) {
      String encoding = row.next() ? row.getString(1) : "unknown";
      if (!encoding.equals("UTF8")) {
        throw new StoreException(
            "the database at "
                + shown(url)
                + " has the encoding "
                + encoding
                + "; use a database with UTF8");
      }
    }
  }

  private static StoreException unreachable(String url, Throwable failure) {
    String why =
        Dialect.sqlException(failure).map(Throwable::getMessage).orElse("no connection").strip();
    return new StoreException(
        "cannot use PostgreSQL at "
            + shown(url)
            + ": "
            + why.lines().findFirst().orElse("")
            + PostgresqlDialect.advice(failure),
        failure);
  }
}
