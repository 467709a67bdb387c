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
  private final ThreadLocal<@Nullable Bound> current = new ThreadLocal<>();

  /**
   * The connection of a transaction.
   *
   * @param deadline when the transaction must have ended, by {@link System#nanoTime}
   */
  private record Bound(Connection connection, long deadline) {}

  void bind(Connection connection, long deadline) {
    current.set(new Bound(connection, deadline));
  }

  /** Returns when the transaction of this thread must have ended, by {@link System#nanoTime}. */
  long deadline() {
    Bound bound = current.get();
    if (bound == null) {
      throw new IllegalStateException("no transaction is running on this thread");
    }
    return bound.deadline;
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
    Bound bound = current.get();
    if (bound == null) {
      throw new SQLException("this JdbcClient is used outside its transaction");
    }
    return bound.connection;
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
