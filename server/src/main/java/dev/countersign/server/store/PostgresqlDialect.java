package dev.countersign.server.store;

import dev.countersign.server.store.Database.CallerSettings;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The dialect of PostgreSQL. */
public final class PostgresqlDialect extends Dialect {
  static final String NAME = "PostgreSQL";

  /** The advice if a pooler mixes up the driver's prepared statements. */
  private static final String MIXED_UP =
      "behind a pooler that mixes up prepared statements: add ?prepareThreshold=0 to the end of"
          + " spring.datasource.url";

  private static final String SNAPSHOT =
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; ";
  // If the limit of a statement ended the wait for a synchronous standby, PostgreSQL would report
  // the commit as made although no standby has it.
  private static final String COMMIT = "SET LOCAL statement_timeout = 0; COMMIT";

  // Columns that, appended to a SELECT, fix the formats in which the rest of the transaction writes
  // numbers, intervals, bytes and dates as text. A role, a database or a pooler's other session may
  // have set others. The order of day and month in DateStyle, by which texts are read, is kept.
  private static final String TEXT_FORMATS =
      Map.of(
              "extra_float_digits", "3",
              "IntervalStyle", "postgres",
              "bytea_output", "hex",
              "DateStyle", "ISO")
          .entrySet()
          .stream()
          .sorted(Map.Entry.comparingByKey())
          .map(
              format ->
                  ", pg_catalog.set_config('"
                      + format.getKey()
                      + "', '"
                      + format.getValue()
                      + "', true)")
          .collect(Collectors.joining());

  private final PostgresqlSchema schema;
  // A server that does not answer cannot end anything, so the connection is cut.
  private final Deadlines deadlines = Deadlines.cutting("postgresql");

  PostgresqlDialect(PostgresqlSchema schema) {
    this.schema = schema;
  }

  /** Returns the name of the schema of the service's own tables. */
  public String ownSchema() {
    return schema.name();
  }

  /** Returns the schemas of the user's search path. */
  public List<String> userSchemas() {
    return schema.userSchemas();
  }

  /** Returns whether the service has a table of this name in this schema. */
  public boolean isOwnTable(String schemaName, String table) {
    return schema.isOwnTable(schemaName, table);
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public String epochMillis() {
    return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
  }

  @Override
  public String databaseName() {
    return NAME;
  }

  @Override
  public @Nullable Object bind(@Nullable Object value) {
    return value instanceof Instant instant
        ? OffsetDateTime.ofInstant(instant, ZoneOffset.UTC)
        : value;
  }

  @Override
  public @Nullable UUID uuid(ResultSet row, int column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  @Override
  public @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  // The driver sends BEGIN together with the first statement, so this takes only one round trip.
  @Override
  void beginRead(Connection connection, Duration limit) throws SQLException {
    startLimit(connection, limit);
    execute(connection, SNAPSHOT + schema.setOwnPathForTransaction() + limits(limit));
  }

  // The driver sends all statements of the text in one round trip, even with parameters.
  @Override
  void beginTableRead(Connection connection, Duration limit, CallerSettings settings)
      throws SQLException {
    startLimit(connection, limit);
    Map<String, String> values = settings.values();
    String sql =
        SNAPSHOT + setUserPathAndSettings(values) + TEXT_FORMATS + limits(limit) + lockLimit(limit);
    try (PreparedStatement begin = connection.prepareStatement(sql)) {
      int at = 1;
      for (String value : parameters(values)) {
        begin.setString(at++, value);
      }
      begin.execute();
    }
  }

  // The driver sends all statements of the text in one round trip.
  @Override
  long count(
      JdbcOperations sql, String count, Object[] parameters, Duration limit, Duration remaining) {
    String text =
        "SELECT 1"
            + set("statement_timeout", limit.toSeconds())
            + "; "
            + count
            + "; SELECT 1"
            + set("statement_timeout", seconds(remaining));
    PreparedStatementCallback<Long> counting =
        statement -> {
          new ArgumentPreparedStatementSetter(parameters).setValues(statement);
          statement.execute();
          statement.getMoreResults();
          try (ResultSet counted = statement.getResultSet()) {
            counted.next();
            return counted.getLong(1);
          }
        };
    return Objects.requireNonNull(sql.execute(text, counting), "a count has one row");
  }

  private void startLimit(Connection connection, Duration limit) throws SQLException {
    deadlines.begin(connection.unwrap(PgConnection.class), limit);
  }

  @Override
  boolean endLimit(Connection connection) throws SQLException {
    return deadlines.end(connection.unwrap(PgConnection.class));
  }

  /**
   * Returns columns that, appended to a SELECT, limit the rest of the transaction: its statements,
   * and how long the server keeps it open if this process stops. The limits are whole seconds,
   * because the driver caches each SQL text.
   */
  private static String limits(Duration limit) {
    return set("statement_timeout", seconds(limit))
        + set("idle_in_transaction_session_timeout", seconds(limit));
  }

  // Less than the limit, so that PostgreSQL ends a statement before the connection is cut.
  private static long seconds(Duration limit) {
    return Math.max(1, limit.minusMillis(1).toSeconds());
  }

  // Shorter than the other limits, so that a wait for a lock is not mistaken for a slow statement.
  private static String lockLimit(Duration limit) {
    return set("lock_timeout", seconds(limit.dividedBy(2)));
  }

  private static String set(String setting, long seconds) {
    return ", pg_catalog.set_config('" + setting + "', '" + seconds + "s', true)";
  }

  private String setUserPathAndSettings(Map<String, String> settings) {
    return schema.setUserPathForTransaction()
        + ", pg_catalog.set_config(?, ?, true)".repeat(settings.size());
  }

  private static List<String> parameters(Map<String, String> settings) {
    List<String> parameters = new ArrayList<>();
    settings.forEach((name, value) -> parameters.addAll(List.of(name, value)));
    return parameters;
  }

  @Override
  public <T> T onTables(JdbcClient sql, CallerSettings settings, Supplier<T> work) {
    Map<String, String> values = settings.values();
    sql.sql(setUserPathAndSettings(values))
        .params(parameters(values))
        .query((row, number) -> 1)
        .list();
    T result = work.get();
    // Deferred constraint triggers would otherwise run at the end of the transaction, when they see
    // the service's tables.
    sql.sql("SET CONSTRAINTS ALL IMMEDIATE").update();
    sql.sql(schema.setOwnPathForTransaction()).query((row, number) -> 1).list();
    return result;
  }

  @Override
  void close() {
    deadlines.close();
  }

  // A write that waits for a lock holds a connection and the locks that it already has, so the wait
  // is limited. The isolation level is set, whatever the default of the database is, because a
  // check that has waited for another transaction must see what that transaction committed.
  @Override
  void beginWrite(Connection connection, Duration limit) throws SQLException {
    startLimit(connection, limit);
    execute(
        connection,
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; "
            + schema.setOwnPathForTransaction()
            + limits(limit)
            + lockLimit(limit));
  }

  @Override
  void commitRead(Connection connection) throws SQLException {
    requireNoFailure(connection);
    connection.commit();
  }

  @Override
  void commitWrite(Connection connection) throws SQLException {
    requireNoFailure(connection);
    execute(connection, COMMIT);
  }

  // After a failed statement, PostgreSQL rolls back when it receives COMMIT, and the driver does
  // not report the rollback. Code that ignores the failed statement would then assume that its
  // change was made.
  private static void requireNoFailure(Connection connection) throws SQLException {
    if (connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.FAILED) {
      throw new SQLException("a statement of the transaction has failed", "25P02");
    }
  }

  @Override
  public String epochSeconds(Clock clock) {
    return "floor(extract(epoch FROM clock_timestamp()))::bigint";
  }

  @Override
  void rollback(Connection connection) throws SQLException {
    connection.rollback();
  }

  @Override
  Optional<Violation> violationOf(SQLException failure) {
    return Optional.ofNullable(
        switch (state(failure)) {
          case "23505" -> Violation.UNIQUE;
          case "23502" -> Violation.NOT_NULL;
          case "23503" -> Violation.FOREIGN_KEY;
          case "23514", "23P01", "23000", "P0001" -> Violation.CHECK;
          case "22001", "22003", "22007", "22008", "22P02", "22P05", "22021" -> Violation.VALUE;
          case "42501" -> isByRowSecurity(failure) ? Violation.POLICY : null;
          default -> null;
        });
  }

  @Override
  Optional<String> unavailability(SQLException failure) {
    String state = state(failure);
    return Optional.ofNullable(
        switch (stateClass(failure)) {
          case "08", "58" -> "unreachable";
          case "57" -> state.equals("57014") ? "too slow" : "unreachable";
          case "40" -> "busy";
          // 55000 says that an object, such as a materialized view, is not ready for use.
          case "55" -> state.equals("55000") ? null : "busy";
          case "0A" -> isStale(failure) ? "preparing its statements again" : null;
          case "53" -> "full";
          case "25" ->
              switch (state) {
                case "25006" -> "read-only";
                case "25P03", "25P04" -> "too slow";
                default -> null;
              };
          // Only a pooler that shares sessions between transactions causes these.
          case "26", "42" -> isMixedUp(state) ? MIXED_UP : null;
          case "XX" -> state.equals("XX000") ? null : "damaged";
          default -> null;
        });
  }

  /**
   * Returns whether a session lacks a prepared statement of the driver, or already has one of its
   * name.
   */
  private static boolean isMixedUp(String state) {
    return state.equals("26000") || state.equals("42P05");
  }

  /**
   * Returns the advice to append to the message of a failed start if a pooler is the cause;
   * otherwise an empty text.
   */
  static String advice(Throwable failure) {
    return sqlException(failure)
        .filter(cause -> isMixedUp(state(cause)))
        .map(cause -> "; PostgreSQL is " + MIXED_UP)
        .orElse("");
  }

  @Override
  boolean isTooSlow(SQLException failure) {
    return state(failure).equals("57014");
  }

  // A serialization failure or a deadlock, or a statement that the driver has to prepare again.
  @Override
  boolean isRepeatable(SQLException failure) {
    String state = state(failure);
    return state.equals("40001") || state.equals("40P01") || isStale(failure);
  }

  // A server that shuts down, crashes or starts ends its connections with 57P01 to 57P03, and one
  // that has waited too long for this process with 57P05 or 25P03.
  @Override
  boolean isLoss(SQLException failure) {
    return switch (stateClass(failure)) {
      case "08" -> true;
      case "57" -> state(failure).startsWith("57P");
      case "25" -> state(failure).equals("25P03");
      default -> false;
    };
  }

  @Override
  boolean isSilence(SQLException failure) {
    return isSilentLogin(failure);
  }

  /**
   * Returns whether a login failed because no host answered in time. If one of several hosts was
   * silent, and another one is not of the wanted type, the driver says only that it cannot connect.
   */
  static boolean isSilentLogin(SQLException failure) {
    if (failure.getCause() == null) {
      boolean isAnswer = failure instanceof PSQLException e && e.getServerErrorMessage() != null;
      return !isAnswer && state(failure).equals("08001");
    }
    return Stream.iterate(failure.getCause(), Objects::nonNull, Throwable::getCause)
        .anyMatch(SocketTimeoutException.class::isInstance);
  }

  @Override
  boolean isReadOnly(SQLException failure) {
    return state(failure).equals("25006");
  }

  @Override
  boolean isUnknownAfterCommit(SQLException failure) {
    return isLoss(failure) || state(failure).equals("40003");
  }

  // A prepared statement of the connection returns columns whose types have changed since.
  @Override
  boolean isStale(SQLException failure) {
    return routine(failure).equals("RevalidateCachedQuery");
  }

  /** Returns whether a statement failed because of a value, with a state of class 22. */
  public static boolean isDataException(Throwable failure) {
    return sqlException(failure).filter(cause -> stateClass(cause).equals("22")).isPresent();
  }

  // A policy does not admit the new row. Missing rights have the same state.
  private static boolean isByRowSecurity(SQLException failure) {
    return routine(failure).equals("ExecWithCheckOptions");
  }

  /** Returns the routine of PostgreSQL that reported a failure; empty if it is not known. */
  private static String routine(SQLException failure) {
    ServerErrorMessage error =
        failure instanceof PSQLException answer ? answer.getServerErrorMessage() : null;
    return error == null || error.getRoutine() == null ? "" : error.getRoutine();
  }

  /**
   * Returns the message and the SQL state with which PostgreSQL refused a login: a wrong password
   * (28P01), a role that may not log in (28000), too many connections (53300), a revoked right to
   * connect (42501) or a database that does not exist or is closed (3D000, 55000). Empty if it did
   * not answer, or is starting or stopping.
   */
  static Optional<String> loginRefusal(SQLException failure) {
    ServerErrorMessage error = answer(failure);
    return error == null || stateClass(failure).equals("57")
        ? Optional.empty()
        : Optional.of(messageAndHint(error) + " (" + state(failure) + ")");
  }

  @Override
  String reasonOf(SQLException failure) {
    ServerErrorMessage error = answer(failure);
    return error == null ? super.reasonOf(failure) : messageAndHint(error);
  }

  private static @Nullable ServerErrorMessage answer(SQLException failure) {
    return failure instanceof PSQLException refused ? refused.getServerErrorMessage() : null;
  }

  private static String messageAndHint(ServerErrorMessage error) {
    String hint = error.getHint();
    return (error.getMessage() + (hint == null ? "" : "; " + hint))
        .strip()
        .replaceAll("\\s*\\R\\s*", "; ");
  }

  /** Returns the class of the SQL state: its first two characters. */
  private static String stateClass(SQLException failure) {
    String state = state(failure);
    return state.length() < 2 ? "" : state.substring(0, 2);
  }

  private static String state(SQLException failure) {
    String state = failure.getSQLState();
    return state == null ? "" : state;
  }
}
