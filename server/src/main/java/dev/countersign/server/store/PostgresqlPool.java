package dev.countersign.server.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The connections to PostgreSQL. */
final class PostgresqlPool {
  private static final String PREFIX = "jdbc:postgresql:";
  // The maximum number of connections.
  private static final int SIZE = 16;
  // How long a caller waits for a free connection.
  private static final int WAIT_MILLIS = 10_000;

  private PostgresqlPool() {}

  static HikariDataSource open(String url, @Nullable String user, @Nullable String password) {
    if (!url.startsWith(PREFIX)) {
      throw new StoreException(
          "spring.datasource.url must begin with " + PREFIX + ", was " + shown(url));
    }
    HikariDataSource pool = connect(url, user, password);
    try {
      requireUtf8(pool, url);
      Migrations.run(pool, "postgresql", shown(url));
      return pool;
    } catch (StoreException e) {
      pool.close();
      throw e;
    }
  }

  /** Returns the URL without its parameters, which may contain a password. */
  static String shown(String url) {
    return url.replaceAll("[?].*", "").replaceAll("//[^/@]*@", "//");
  }

  private static HikariDataSource connect(
      String url, @Nullable String user, @Nullable String password) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("postgresql");
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(SIZE);
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
  private static void requireUtf8(HikariDataSource pool, String url) {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
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
    } catch (SQLException e) {
      throw unreachable(url, e);
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
