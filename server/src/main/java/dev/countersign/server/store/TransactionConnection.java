package dev.countersign.server.store;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.SmartDataSource;

/**
 * Provides the connection of the current thread's transaction, so that one JdbcClient serves all
 * threads.
 */
final class TransactionConnection extends AbstractDataSource implements SmartDataSource {
  @SuppressWarnings("ThreadLocalUsage") // a process has only a few instances
  private final ThreadLocal<@Nullable Connection> current = new ThreadLocal<>();

  void bind(Connection connection) {
    current.set(connection);
  }

  void unbind() {
    current.remove();
  }

  void requireNone() {
    if (current.get() != null) {
      throw new IllegalStateException(
          "a transaction is running on this thread: use its JdbcClient, because transactions cannot"
              + " be nested");
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = current.get();
    if (connection == null) {
      throw new SQLException("this JdbcClient is used outside its transaction");
    }
    return connection;
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  /** Returns false, because {@link Database} closes the connection when the transaction ends. */
  @Override
  public boolean shouldClose(Connection connection) {
    return false;
  }
}
