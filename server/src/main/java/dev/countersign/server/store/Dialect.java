package dev.countersign.server.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The one place where SQLite and PostgreSQL differ. Everything else is SQL that both speak.
 *
 * <p>Both order alike: text by Unicode code points, NULL before every value.
 */
public abstract sealed class Dialect permits SqliteDialect, PostgresqlDialect {
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  Dialect() {}

  /** The database's name, for messages. */
  public abstract String databaseName();

  /**
   * A value as the driver takes it.
   *
   * @param value a UUID, Instant, Boolean, BigDecimal, Long, Integer, String or null
   */
  public abstract @Nullable Object bind(@Nullable Object value);

  /** The UUID in a column, counted from 1; null for NULL. */
  public abstract @Nullable UUID uuid(ResultSet row, int column) throws SQLException;

  /** The instant in a column, counted from 1; null for NULL. */
  public abstract @Nullable Instant instant(ResultSet row, int column) throws SQLException;

  /**
   * The instant in a column as RFC 3339 text in UTC; null for NULL.
   *
   * @throws SQLException also where RFC 3339 cannot express it: outside the years 0 to 9999
   */
  public abstract @Nullable String timestampText(ResultSet row, int column) throws SQLException;

  /** The UUID in the column of this label; null for NULL. */
  public final @Nullable UUID uuid(ResultSet row, String label) throws SQLException {
    return uuid(row, row.findColumn(label));
  }

  /** The instant in the column of this label; null for NULL. */
  public final @Nullable Instant instant(ResultSet row, String label) throws SQLException {
    return instant(row, row.findColumn(label));
  }

  /** An ORDER BY term that sorts upwards, NULL first. */
  public abstract String ascending(Table.Column column, ColumnType type);

  /** An ORDER BY term that sorts downwards, NULL last. */
  public abstract String descending(Table.Column column, ColumnType type);

  /** The most significant digits of a decimal that come back as they went in. */
  public abstract int decimalDigits();

  /** Describes a table; empty where there is none of this name. */
  public abstract Optional<Table> describe(JdbcClient sql, String table);

  /** The rule of the schema that a failure is about; empty for every other failure. */
  public final Optional<Violation> violation(Throwable failure) {
    return sqlException(failure).flatMap(this::violationOf);
  }

  /** Whether a failure says that another row has the same unique value. */
  public final boolean isUniqueViolation(Throwable failure) {
    return violation(failure).filter(Violation.UNIQUE::equals).isPresent();
  }

  /**
   * An identifier in double quotes.
   *
   * @throws IllegalArgumentException when it is not a letter or underscore, then letters, digits
   *     and underscores
   */
  public static String quote(String identifier) {
    if (!IDENTIFIER.matcher(identifier).matches()) {
      throw new IllegalArgumentException(
          "an identifier is a letter or _, then letters, digits or _, was " + identifier);
    }
    return '"' + identifier + '"';
  }

  /** Begins a read, which then fails as unavailable when it takes longer than the limit. */
  abstract void beginRead(Connection connection) throws SQLException;

  /** Ends what {@link #beginRead} began beside the transaction, also where it failed. */
  abstract void endRead(Connection connection) throws SQLException;

  abstract void beginWrite(Connection connection) throws SQLException;

  abstract void commit(Connection connection) throws SQLException;

  abstract void rollback(Connection connection) throws SQLException;

  abstract Optional<Violation> violationOf(SQLException failure);

  /** Why the database cannot answer now, in a few words; empty for a failure of another kind. */
  abstract Optional<String> unavailability(SQLException failure);

  /** Ends what the dialect runs by itself. */
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
