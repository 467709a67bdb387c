package dev.countersign.server.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
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
  // How long a caller waits for a free connection.
  private static final int WAIT_MILLIS = 10_000;

  /** Opens the pool and migrates the schema. */
  static PostgresqlPool open(StoreSettings settings, String url) {
    if (!url.startsWith(PREFIX)) {
      throw new StoreException(
          "spring.datasource.url must begin with " + PREFIX + ", was " + shown(url));
    }
    PostgresqlSchema schema = prepare(settings, url);
    HikariDataSource pool = connect(settings, url, schema.beginSession(), SIZE);
    try {
      Migrations.run(pool, "postgresql", schema.name(), schema.isShared(), shown(url));
      return new PostgresqlPool(pool, schema);
    } catch (StoreException e) {
      pool.close();
      throw e;
    }
  }

  private static PostgresqlSchema prepare(StoreSettings settings, String url) {
    try (HikariDataSource pool = connect(settings, url, null, 1);
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
      StoreSettings settings, String url, @Nullable String beginSession, int size) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("postgresql");
    config.setJdbcUrl(url);
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setConnectionInitSql(beginSession);
    // Commits the statement above. Otherwise a rollback of the first transaction would undo it.
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
