package dev.countersign.server.store;

import dev.countersign.server.store.Database.CallerSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Contains everything in which SQLite and PostgreSQL differ for connections, transactions and
 * failures, and for the service's own tables. Both databases understand all other SQL of the
 * service, including {@code LIMIT}, {@code OFFSET}, {@code RETURNING} and {@code ON CONFLICT}.
 */
public abstract sealed class Dialect permits SqliteDialect, PostgresqlDialect {
  Dialect() {}

  /** The database's name, for messages. */
  public abstract String databaseName();

  /** Returns the expression for the database's current time, in milliseconds since 1970. */
  public abstract String epochMillis();

  /**
   * Returns whether nodes on several machines can share the database. Such a database may fail over
   * to a copy, and its clock may differ from this machine's.
   */
  public abstract boolean isShared();

  /**
   * Converts a value for the driver.
   *
   * @param value a UUID, Instant, LocalDate, Boolean, BigDecimal, Long, Integer, String or null
   */
  public abstract @Nullable Object bind(@Nullable Object value);

  /** Reads the UUID in the column with this number, counted from 1; returns null for NULL. */
  public abstract @Nullable UUID uuid(ResultSet row, int column) throws SQLException;

  /** Reads the instant in the column with this number, counted from 1; returns null for NULL. */
  public abstract @Nullable Instant instant(ResultSet row, int column) throws SQLException;

  /** Reads the UUID in the column with this label; returns null for NULL. */
  public final @Nullable UUID uuid(ResultSet row, String label) throws SQLException {
    return uuid(row, row.findColumn(label));
  }

  /** Reads the instant in the column with this label; returns null for NULL. */
  public final @Nullable Instant instant(ResultSet row, String label) throws SQLException {
    return instant(row, row.findColumn(label));
  }

  /**
   * Returns an expression for the database's time, in whole seconds since 1970. All nodes of a
   * database agree on this time. SQLite runs in this process, so its time is that of {@code clock}.
   */
  public abstract String epochSeconds(Clock clock);

  /** Returns the database's message about a failure, on one line. */
  public final String reason(Throwable failure) {
    return sqlException(failure).map(this::reasonOf).orElseGet(() -> firstLine(failure));
  }

  /** Returns the rule of the schema that a row violated; empty if the failure has another cause. */
  public final Optional<Violation> violation(Throwable failure) {
    return sqlException(failure).flatMap(this::violationOf);
  }

  /** Returns whether a statement failed because another row has the same unique value. */
  public final boolean isUniqueViolation(Throwable failure) {
    return violation(failure).filter(Violation.UNIQUE::equals).isPresent();
  }

  /**
   * Quotes an identifier, whatever characters it contains.
   *
   * @throws IllegalArgumentException if it is empty or contains NUL, which SQL cannot express
   */
  public static String quote(String identifier) {
    if (identifier.isEmpty() || identifier.indexOf(0) >= 0) {
      throw new IllegalArgumentException("an identifier must have characters other than NUL");
    }
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  /** Begins a read. A read that takes longer than the limit fails as unavailable. */
  abstract void beginRead(Connection connection, Duration limit) throws SQLException;

  /** Begins a read of the operator's tables, in one round trip. */
  abstract void beginTableRead(Connection connection, Duration limit, CallerSettings settings)
      throws SQLException;

  /**
   * Counts rows in a read of the operator's tables.
   *
   * @param sql runs statements in the transaction
   * @param count a SELECT that returns one number
   * @param limit the time that the count has, in whole seconds, at least one
   * @param remaining the time that the transaction has when the count begins
   */
  abstract long count(
      JdbcOperations sql, String count, Object[] parameters, Duration limit, Duration remaining);

  /**
   * Runs statements on the operator's tables in a transaction that also changes the service's own.
   * The triggers and functions of the operator's tables see what they would see without the
   * service. Policies recognize the caller by the settings.
   */
  public abstract <T> T onTables(JdbcClient sql, CallerSettings settings, Supplier<T> work);

  /**
   * Begins a write. If the database has time limits for writes, they are derived from {@code
   * limit}.
   */
  abstract void beginWrite(Connection connection, Duration limit) throws SQLException;

  /**
   * Ends the time limit of a transaction. Called even if its begin failed.
   *
   * @return whether the connection can be used again; false if it is being cut
   */
  abstract boolean endLimit(Connection connection) throws SQLException;

  abstract void commitRead(Connection connection) throws SQLException;

  abstract void commitWrite(Connection connection) throws SQLException;

  abstract void rollback(Connection connection) throws SQLException;

  abstract Optional<Violation> violationOf(SQLException failure);

  String reasonOf(SQLException failure) {
    return firstLine(failure);
  }

  /** Returns in a few words why the database cannot answer now; empty for other failures. */
  abstract Optional<String> unavailability(SQLException failure);

  /** Returns whether a statement was ended because it took too long. */
  abstract boolean isTooSlow(SQLException failure);

  /** Returns whether a statement was prepared before a change of its columns. */
  abstract boolean isStale(SQLException failure);

  /** Returns whether the same transaction may succeed if it runs again at once. */
  abstract boolean isRepeatable(SQLException failure);

  /** Returns whether the connection, or the server behind it, is gone. */
  abstract boolean isLoss(SQLException failure);

  /**
   * Returns whether an attempt to connect failed because the server did not answer in time, so that
   * a later attempt may succeed. A server that refuses the connection has answered.
   */
  abstract boolean isSilence(SQLException failure);

  /** Returns whether the server refuses every change. */
  abstract boolean isReadOnly(SQLException failure);

  /** Returns whether a commit that failed like this may nevertheless have made the change. */
  abstract boolean isUnknownAfterCommit(SQLException failure);

  /** Stops the dialect's background work. */
  abstract void close();

  static String firstLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }

  static Optional<SQLException> sqlException(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof SQLException found) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The rule of the schema that refused a row. */
  public enum Violation {
    /** Another row has the same value in a unique column or index. */
    UNIQUE,
    /** A NOT NULL column got NULL. */
    NOT_NULL,
    /** A CHECK constraint, a trigger or an exclusion constraint refused the row. */
    CHECK,
    /** The row refers to a row that does not exist. */
    FOREIGN_KEY,
    /** A policy of row-level security refused the row. */
    POLICY,
    /** The value does not fit the column: it is too long, too large or of another type. */
    VALUE
  }
}
