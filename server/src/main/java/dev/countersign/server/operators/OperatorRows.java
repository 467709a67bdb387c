package dev.countersign.server.operators;

import dev.countersign.server.operators.Operator.Source;
import dev.countersign.server.operators.Operator.Status;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The SQL statements for the accounts of operators, which are the same on SQLite and PostgreSQL.
 * They do not enforce the rules for accounts, such as that an administrator remains. The callers
 * do.
 */
public final class OperatorRows {
  public static final String COLUMNS =
      "o.id, o.name, o.role, o.status, o.source, o.issuer, o.subject, o.password_hash,"
          + " o.generation, o.created_at, o.last_sign_in_at";
  private static final String SELECT = "SELECT " + COLUMNS + " FROM operators o ";

  private final JdbcClient sql;

  public OperatorRows(JdbcClient sql) {
    this.sql = sql;
  }

  /** Locks all accounts, on all nodes, until the transaction ends. */
  public void lock() {
    sql.sql("UPDATE operator_changes SET value = value + 1 WHERE id = 1").update();
  }

  /** Returns whether there is no enabled administrator and no password account was ever created. */
  public boolean needsFirstAdministrator() {
    return sql.sql(
                """
                SELECT count(*) FROM operators
                WHERE source = 'password' OR (role = 'administrator' AND status = 'enabled')\
                """)
            .query(Long.class)
            .single()
        == 0;
  }

  public Optional<Operator> find(String id) {
    return sql.sql(SELECT + "WHERE o.id = ?").param(id).query(OperatorRows::operator).optional();
  }

  /** Returns the operators that are not removed, sorted by name. */
  public List<Operator> list() {
    return sql.sql(SELECT + "WHERE o.status <> 'removed' ORDER BY o.name_key, o.source, o.id")
        .query(OperatorRows::operator)
        .list();
  }

  /**
   * Returns the password account with this name and its hash; empty if there is none or it was
   * removed.
   */
  public Optional<Account> findAccount(String nameKey) {
    return sql.sql(
            SELECT + "WHERE o.name_key = ? AND o.source = 'password' AND o.status <> 'removed'")
        .param(nameKey)
        .query((row, number) -> new Account(operator(row, number), row.getString("password_hash")))
        .optional();
  }

  /** Returns the operators with this name that are not removed. */
  List<Operator> findByName(String nameKey) {
    return sql.sql(SELECT + "WHERE o.name_key = ? AND o.status <> 'removed' ORDER BY o.id")
        .param(nameKey)
        .query(OperatorRows::operator)
        .list();
  }

  /** Returns the OpenID account of this subject, even if it was removed. */
  public Optional<Operator> findOpenId(String issuer, String subject) {
    return sql.sql(SELECT + "WHERE o.source = 'openid' AND o.issuer = ? AND o.subject = ?")
        .param(issuer)
        .param(subject)
        .query(OperatorRows::operator)
        .optional();
  }

  public void insert(Operator operator) {
    sql.sql(
            "INSERT INTO operators (id, name, name_key, role, status, source, issuer, subject,"
                + " generation, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .param(operator.id())
        .param(operator.name())
        .param(OperatorNames.key(operator.name()))
        .param(operator.role().word())
        .param(operator.status().word())
        .param(operator.source().word())
        .param(operator.issuer())
        .param(operator.subject())
        .param(operator.generation())
        .param(operator.createdAt().toEpochMilli())
        .update();
  }

  /** Updates name, role and status of an operator. */
  public void update(Operator operator) {
    sql.sql("UPDATE operators SET name = ?, name_key = ?, role = ?, status = ? WHERE id = ?")
        .param(operator.name())
        .param(OperatorNames.key(operator.name()))
        .param(operator.role().word())
        .param(operator.status().word())
        .param(operator.id())
        .update();
  }

  public void setPassword(String id, @Nullable String hash) {
    sql.sql("UPDATE operators SET password_hash = ? WHERE id = ?").param(hash).param(id).update();
  }

  /**
   * Records a sign-in, and locks the operator's row until the transaction ends. Does nothing if the
   * account is no longer enabled or no longer has the generation of {@code operator}.
   *
   * @return whether the sign-in is recorded
   */
  public boolean tryRecordSignIn(Operator operator, Instant now) {
    return sql.sql(
                "UPDATE operators SET last_sign_in_at = ?"
                    + " WHERE id = ? AND generation = ? AND status = 'enabled'")
            .param(now.toEpochMilli())
            .param(operator.id())
            .param(operator.generation())
            .update()
        == 1;
  }

  /**
   * Ends the sessions of an operator, and invalidates sign-ins that have not started a session yet.
   */
  public void endSessions(String id) {
    sql.sql("UPDATE operators SET generation = generation + 1 WHERE id = ?").param(id).update();
    sql.sql("DELETE FROM operator_sessions WHERE operator_id = ?").param(id).update();
  }

  public void forgetDevices(String id) {
    sql.sql("DELETE FROM operator_devices WHERE operator_id = ?").param(id).update();
  }

  void dropLink(String id) {
    sql.sql("DELETE FROM operator_links WHERE operator_id = ?").param(id).update();
  }

  public static Operator operator(ResultSet row, int number) throws SQLException {
    long lastSignIn = row.getLong("last_sign_in_at");
    @Nullable Instant lastSignInAt = row.wasNull() ? null : Instant.ofEpochMilli(lastSignIn);
    return new Operator(
        row.getString("id"),
        row.getString("name"),
        OperatorRole.parse(row.getString("role")),
        Status.parse(row.getString("status")),
        Source.parse(row.getString("source")),
        row.getString("issuer"),
        row.getString("subject"),
        row.getString("password_hash") != null,
        row.getLong("generation"),
        Instant.ofEpochMilli(row.getLong("created_at")),
        lastSignInAt);
  }

  /** A password account with its hash, which is null until a password is set. */
  public record Account(Operator operator, @Nullable String passwordHash) {

    /** Returns a string without the hash. */
    @Override
    public String toString() {
      return operator.toString();
    }
  }
}
