package dev.countersign.server.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Opens the connections of a pool and notes whether the database logs the service in. The pool
 * itself reports a refusal only after somebody has waited for a connection in vain.
 */
final class WatchedLogins extends DelegatingDataSource {
  private final Reachability reachability;
  private final Function<SQLException, Optional<String>> refusal;

  /**
   * Creates an instance.
   *
   * @param source opens the connections
   * @param refusal finds the message with which the database refused a login; empty for other
   *     failures
   */
  WatchedLogins(
      DataSource source,
      Reachability reachability,
      Function<SQLException, Optional<String>> refusal) {
    super(source);
    this.reachability = reachability;
    this.refusal = refusal;
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      Connection connection = super.getConnection();
      reachability.accepted();
      return connection;
    } catch (SQLException e) {
      refusal.apply(e).ifPresent(reachability::refused);
      throw e;
    }
  }
}
