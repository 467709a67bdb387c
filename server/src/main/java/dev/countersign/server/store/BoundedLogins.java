package dev.countersign.server.store;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * Opens connections to a database that may not answer. During the login, each answer has a short
 * time limit, so that a host that accepts connections but does not answer costs little time before
 * the next host of the URL is tried. After the login, the limit for statements applies.
 *
 * <p>Design note: this happens below the pool, because the pool keeps the limit that a connection
 * has when the pool receives it. The driver's own limit for a login is not used: when it runs out,
 * the driver continues in a thread that nobody waits for.
 */
final class BoundedLogins extends AbstractDataSource {
  /** How long an answer may take. A host that was silent gets more time in the next attempt. */
  private static final List<Duration> ATTEMPTS =
      List.of(
          Duration.ofSeconds(3),
          Duration.ofSeconds(6),
          Duration.ofSeconds(12),
          Duration.ofSeconds(24));

  private static final Logger LOG = LoggerFactory.getLogger(BoundedLogins.class);

  private final List<DataSource> sources;
  private final BooleanSupplier isPatient;
  private final Predicate<SQLException> isSilence;
  private final Duration timeoutAfterLogin;

  /**
   * Creates a source of connections.
   *
   * @param source returns a source with this time limit for each answer during a login
   * @param isPatient whether to try again with more time if no host answers, as a start does,
   *     because a machine that starts is often busy
   * @param isSilence recognizes a login that failed because no answer came in time
   * @param timeoutAfterLogin how long an answer may take after the login; zero for any time
   */
  BoundedLogins(
      Function<Duration, DataSource> source,
      BooleanSupplier isPatient,
      Predicate<SQLException> isSilence,
      Duration timeoutAfterLogin) {
    this.sources = ATTEMPTS.stream().map(source).toList();
    this.isPatient = isPatient;
    this.isSilence = isSilence;
    this.timeoutAfterLogin = timeoutAfterLogin;
  }

  @Override
  public Connection getConnection() throws SQLException {
    for (int attempt = 0; ; attempt++) {
      try {
        return ready(sources.get(attempt).getConnection());
      } catch (SQLException e) {
        boolean isLast = attempt == sources.size() - 1 || !isPatient.getAsBoolean();
        if (isLast || !isSilence.test(e)) {
          throw e;
        }
        LOG.warn(
            "no host of the database answers; trying again, with up to {} s for each answer",
            ATTEMPTS.get(attempt + 1).toSeconds());
      }
    }
  }

  private Connection ready(Connection connection) throws SQLException {
    try {
      connection.setNetworkTimeout(Runnable::run, Math.toIntExact(timeoutAfterLogin.toMillis()));
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new UnsupportedOperationException("the user is that of the settings");
  }

  /** Returns how long the pool, when it is closed, waits for a login, in seconds. */
  @Override
  public int getLoginTimeout() {
    return Math.toIntExact(ATTEMPTS.getFirst().toSeconds());
  }

  /** Ignores the limit that a pool sets. */
  @Override
  public void setLoginTimeout(int seconds) {
    // Each answer of a login has its own limit.
  }

  @Override
  public void setLogWriter(PrintWriter writer) {
    // The driver logs nothing there.
  }
}
