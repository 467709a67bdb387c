package dev.countersign.server.store;

import dev.countersign.server.store.Database.CallerSettings;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The dialect of SQLite. SQLite has few types, so the service stores UUIDs and timestamps as text
 * in one exact form.
 */
public final class SqliteDialect extends Dialect {
  SqliteDialect() {}

  // 2^53: a double represents every integer up to this number, and no fraction above it.
  private static final BigDecimal MAX_EXACT = BigDecimal.valueOf(1L << 53);

  private final Deadlines deadlines = Deadlines.interrupting("sqlite", SqliteDialect::interrupt);

  private static void interrupt(Connection connection) throws SQLException {
    ((SQLiteConnection) connection).getDatabase().interrupt();
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public String epochMillis() {
    return "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
  }

  @Override
  public String databaseName() {
    return "SQLite";
  }

  @Override
  public @Nullable Object bind(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    return switch (value) {
      case UUID uuid -> uuid.toString();
      case Instant instant -> Timestamps.milliseconds(instant);
      case LocalDate date -> date.toString();
      case Boolean bool -> bool ? 1 : 0;
      case BigDecimal decimal -> number(decimal);
      default -> value;
    };
  }

  /** Returns whether the service has a table of this name in the file. */
  public static boolean isOwnTable(String name) {
    return Migrations.isOwnTable(name);
  }

  /**
   * Returns the number that is stored for a decimal. SQLite compares a long and a double exactly,
   * and above 2^53 a double has no fraction.
   */
  public static Number number(BigDecimal decimal) {
    try {
      return decimal.longValueExact();
    } catch (ArithmeticException notLong) {
      BigDecimal whole = decimal.setScale(0, RoundingMode.HALF_EVEN);
      boolean isBetweenLongs =
          whole.abs().compareTo(MAX_EXACT) > 0 && whole.toBigInteger().bitLength() < Long.SIZE;
      return isBetweenLongs ? (Number) whole.longValueExact() : (Number) decimal.doubleValue();
    }
  }

  @Override
  public @Nullable UUID uuid(ResultSet row, int column) throws SQLException {
    String text = row.getString(column);
    return text == null ? null : UUID.fromString(text);
  }

  @Override
  public @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    String text = row.getString(column);
    try {
      return text == null ? null : Timestamps.parseMilliseconds(text);
    } catch (DateTimeException e) {
      throw new SQLException(
          "a timestamp column contains text that is not a timestamp", "22007", e);
    }
  }

  @Override
  void beginRead(Connection connection, Duration limit) throws SQLException {
    deadlines.begin(connection.unwrap(SQLiteConnection.class), limit);
    execute(connection, "BEGIN");
  }

  @Override
  void beginTableRead(Connection connection, Duration limit, CallerSettings settings)
      throws SQLException {
    beginRead(connection, limit);
  }

  @Override
  long count(
      JdbcOperations sql, String count, Object[] parameters, Duration limit, Duration remaining) {
    long begunAt = System.nanoTime();
    ConnectionCallback<SQLiteConnection> unwrapped =
        connection -> connection.unwrap(SQLiteConnection.class);
    SQLiteConnection connection = Objects.requireNonNull(sql.execute(unwrapped));
    limit(connection, limit);
    try {
      return Objects.requireNonNull(sql.queryForObject(count, Long.class, parameters));
    } finally {
      limit(connection, remaining.minusNanos(System.nanoTime() - begunAt));
    }
  }

  private void limit(SQLiteConnection connection, Duration limit) {
    deadlines.end(connection);
    deadlines.begin(connection, limit);
  }

  @Override
  public <T> T onTables(JdbcClient sql, CallerSettings settings, Supplier<T> work) {
    return work.get();
  }

  @Override
  boolean endLimit(Connection connection) throws SQLException {
    return deadlines.end(connection.unwrap(SQLiteConnection.class));
  }

  @Override
  void close() {
    deadlines.close();
  }

  // Design note: writes begin and end with SQL statements, because the driver's commit() begins the
  // next transaction at once. That transaction would hold the write lock, and its start could fail
  // although the commit succeeded.
  @Override
  void beginWrite(Connection connection, Duration limit) throws SQLException {
    execute(connection, "BEGIN IMMEDIATE");
  }

  @Override
  void commitRead(Connection connection) throws SQLException {
    execute(connection, "COMMIT");
  }

  @Override
  void commitWrite(Connection connection) throws SQLException {
    execute(connection, "COMMIT");
  }

  /**
   * Returns whether a transaction whose COMMIT failed may be found in the file after a restart. In
   * WAL mode, SQLite writes all of a transaction and then flushes the file. If the flush fails, the
   * transaction is rolled back, but the next start may find all of it in the file.
   */
  @Override
  boolean isUnknownAfterCommit(SQLException failure) {
    return isCommitUnknown(failure);
  }

  static boolean isCommitUnknown(SQLException failure) {
    return !(failure instanceof SQLiteException sqlite)
        || switch (SQLiteErrorCode.getErrorCode(primary(sqlite))) {
          // The lock was not available, a constraint is violated, or there was no space to write
          // the end of the transaction.
          case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_CONSTRAINT, SQLITE_FULL -> false;
          default -> true;
        };
  }

  @Override
  public String epochSeconds(Clock clock) {
    return String.valueOf(clock.instant().getEpochSecond());
  }

  @Override
  void rollback(Connection connection) throws SQLException {
    execute(connection, "ROLLBACK");
  }

  @Override
  Optional<Violation> violationOf(SQLException failure) {
    if (!(failure instanceof SQLiteException sqlite)) {
      return Optional.empty();
    }
    return switch (sqlite.getResultCode()) {
      case SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_ROWID ->
          Optional.of(Violation.UNIQUE);
      case SQLITE_CONSTRAINT_NOTNULL -> Optional.of(Violation.NOT_NULL);
      case SQLITE_CONSTRAINT_FOREIGNKEY -> Optional.of(Violation.FOREIGN_KEY);
      // The second is reported by STRICT tables.
      case SQLITE_MISMATCH, SQLITE_CONSTRAINT_DATATYPE, SQLITE_TOOBIG ->
          Optional.of(Violation.VALUE);
      default ->
          primary(sqlite) == SQLiteErrorCode.SQLITE_CONSTRAINT.code
              ? Optional.of(Violation.CHECK)
              : Optional.empty();
    };
  }

  @Override
  Optional<String> unavailability(SQLException failure) {
    if (!(failure instanceof SQLiteException sqlite)) {
      return Optional.empty();
    }
    return Optional.ofNullable(
        switch (SQLiteErrorCode.getErrorCode(primary(sqlite))) {
          case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL -> "busy";
          case SQLITE_FULL -> "full";
          case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH -> "read-only";
          case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM -> "unreachable";
          case SQLITE_CORRUPT, SQLITE_NOTADB -> "damaged";
          case SQLITE_INTERRUPT -> "too slow";
          default -> null;
        });
  }

  @Override
  boolean isTooSlow(SQLException failure) {
    return failure instanceof SQLiteException sqlite
        && primary(sqlite) == SQLiteErrorCode.SQLITE_INTERRUPT.code;
  }

  // Running again at once would not help: the file would still be locked or damaged.
  @Override
  boolean isRepeatable(SQLException failure) {
    return false;
  }

  @Override
  boolean isStale(SQLException failure) {
    return false;
  }

  @Override
  boolean isLoss(SQLException failure) {
    return false;
  }

  @Override
  boolean isSilence(SQLException failure) {
    return false;
  }

  @Override
  boolean isReadOnly(SQLException failure) {
    return false;
  }

  @Override
  String reasonOf(SQLException failure) {
    return message(failure);
  }

  /**
   * Returns SQLite's own message, which names the object. The driver writes the code and its
   * meaning before it.
   */
  static String message(SQLException failure) {
    return firstLine(failure).replaceFirst("^\\[\\w+] [^(]*\\((.+)\\)$", "$1");
  }

  /** Returns the primary result code: the low eight bits of the extended result code. */
  private static int primary(SQLiteException failure) {
    return failure.getResultCode().code & 0xff;
  }
}
