package dev.countersign.server.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Contains everything in which SQLite and PostgreSQL differ. Both databases understand all other
 * SQL of the service, including {@code LIMIT}, {@code OFFSET} and {@code RETURNING}.
 *
 * <p>Both databases sort in the same order, text by Unicode code points and NULL before every
 * value, unless a listing wants the {@linkplain SortOrder#DATABASE order of the database}.
 */
public abstract sealed class Dialect permits SqliteDialect, PostgresqlDialect {
  Dialect() {}

  /** The database's name, for messages. */
  public abstract String databaseName();

  /**
   * Converts a value for the driver.
   *
   * @param value a UUID, Instant, Boolean, BigDecimal, Long, Integer, String or null
   */
  public abstract @Nullable Object bind(@Nullable Object value);

  /** Reads the UUID in the column with this number, counted from 1; returns null for NULL. */
  public abstract @Nullable UUID uuid(ResultSet row, int column) throws SQLException;

  /** Reads the instant in the column with this number, counted from 1; returns null for NULL. */
  public abstract @Nullable Instant instant(ResultSet row, int column) throws SQLException;

  /**
   * Reads the instant in the column with this number as RFC 3339 text in UTC; returns null for
   * NULL.
   *
   * @throws SQLException if the read fails, or for a year outside 0 to 9999, which RFC 3339 cannot
   *     express
   */
  public abstract @Nullable String timestampText(ResultSet row, int column) throws SQLException;

  /** Reads the UUID in the column with this label; returns null for NULL. */
  public final @Nullable UUID uuid(ResultSet row, String label) throws SQLException {
    return uuid(row, row.findColumn(label));
  }

  /** Reads the instant in the column with this label; returns null for NULL. */
  public final @Nullable Instant instant(ResultSet row, String label) throws SQLException {
    return instant(row, row.findColumn(label));
  }

  /** Returns a term of ORDER BY, or of an index, for ascending order. */
  public abstract String ascending(Table.Column column, SortOrder order);

  /** Returns a term of ORDER BY, or of an index, for the reverse of {@link #ascending}. */
  public abstract String descending(Table.Column column, SortOrder order);

  /** Returns how many significant digits of a decimal are stored without loss. */
  public abstract int decimalDigits();

  /** Describes a table or view; empty if none has this name. */
  public abstract Optional<Table> describe(JdbcClient sql, TableName name);

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
  abstract void beginRead(Connection connection) throws SQLException;

  /** Begins a read of the operator's tables. */
  abstract void beginTableRead(Connection connection) throws SQLException;

  /**
   * Runs statements on the operator's tables in a transaction that also changes the service's own.
   * The triggers and functions of the operator's tables see what they would see without the
   * service.
   */
  public abstract <T> T onTables(JdbcClient sql, Supplier<T> work);

  /**
   * Ends the time limit that {@link #beginRead} started. Called even if {@code beginRead} failed.
   */
  abstract void endRead(Connection connection) throws SQLException;

  abstract void beginWrite(Connection connection) throws SQLException;

  abstract void commit(Connection connection) throws SQLException;

  abstract void rollback(Connection connection) throws SQLException;

  abstract Optional<Violation> violationOf(SQLException failure);

  /** Returns in a few words why the database cannot answer now; empty for other failures. */
  abstract Optional<String> unavailability(SQLException failure);

  /** Stops the dialect's background work. */
  abstract void close();

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
}
