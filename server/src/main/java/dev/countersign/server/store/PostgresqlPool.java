package dev.countersign.server.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The connections to PostgreSQL.
 *
 * @param connections the pool
 * @param schema the schema of the service's own tables
 */
record PostgresqlPool(HikariDataSource connections, PostgresqlSchema schema) {
  private static final String PREFIX = "jdbc:postgresql:";
  // The maximum number of connections.
  private static final int SIZE = 16;
  // One connection holds the lock of the migrations, another one migrates.
  private static final int MIGRATING = 2;
  // How long a caller waits for a free connection.
  private static final int WAIT_MILLIS = 10_000;

  /** Opens the pool and migrates the schema. */
  static PostgresqlPool open(StoreSettings settings, String url) {
    if (!url.startsWith(PREFIX)) {
      throw new StoreException(
          "spring.datasource.url must begin with " + PREFIX + ", was " + shown(url));
    }
    PostgresqlSchema schema = prepare(settings, url);
    try (HikariDataSource pool = connect(settings, url, MIGRATING, schema.keepOwnTables())) {
      Migrations.run(pool, "postgresql", schema.name(), schema.isShared(), shown(url));
    }
    return new PostgresqlPool(connect(settings, url, SIZE, null), schema);
  }

  private static PostgresqlSchema prepare(StoreSettings settings, String url) {
    try (HikariDataSource pool = connect(settings, url, 1, null);
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

  private static HikariDataSource connect(
      StoreSettings settings, String url, int size, @Nullable String beginSession) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("postgresql");
    config.setJdbcUrl(url);
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    // Database discards such connections itself.
    config.setExceptionOverrideClassName(StaleStatements.class.getName());
    config.setConnectionInitSql(beginSession);
    // Commits the statement above, which a rollback of the first transaction would otherwise undo.
    config.setIsolateInternalQueries(true);
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(WAIT_MILLIS);
    config.setAutoCommit(false);
    config.addDataSourceProperty("ApplicationName", "countersign");
    config.addDataSourceProperty("connectTimeout", "5");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    try {
      return new HikariDataSource(config);
    } catch (PoolInitializationException e) {
      throw unreachable(url, e);
    }
  }

  /**
   * Keeps the pool from discarding a connection with an outdated prepared statement, because it
   * would log a stack trace for each.
   */
  public static final class StaleStatements implements SQLExceptionOverride {
    @java.lang.Override
    public Override adjudicate(SQLException failure) {
      return "0A000".equals(failure.getSQLState())
          ? Override.DO_NOT_EVICT
          : Override.CONTINUE_EVICT;
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
        "cannot use PostgreSQL at " + shown(url) + ": " + why.lines().findFirst().orElse(""),
        failure);
  }
}
