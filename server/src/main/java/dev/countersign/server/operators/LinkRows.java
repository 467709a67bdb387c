package dev.countersign.server.operators;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The SQL of one-time links. Each account has at most one link, and each node has at most one link
 * that creates the first administrator.
 */
public final class LinkRows {
  private static final Duration LIFETIME = Duration.ofHours(1);

  private final JdbcClient sql;
  private final Tokens tokens;
  private final Clock clock;

  public LinkRows(JdbcClient sql, Tokens tokens, Clock clock) {
    this.sql = sql;
    this.tokens = tokens;
    this.clock = clock;
  }

  /** Creates a link for an account and deletes the account's earlier link. */
  OneTimeLink make(Operator operator) {
    new OperatorRows(sql).dropLink(operator.id());
    return insert(operator, null);
  }

  /**
   * Creates a link for the first administrator and deletes the earlier link of this node.
   *
   * @param node a name of the node that stays the same when the node restarts
   */
  public OneTimeLink createForFirstAdministrator(String node) {
    sql.sql("DELETE FROM operator_links WHERE operator_id IS NULL AND node = ?")
        .param(node)
        .update();
    return insert(null, node);
  }

  /** Deletes all nodes' links for the first administrator. */
  public void deleteForFirstAdministrator() {
    sql.sql("DELETE FROM operator_links WHERE operator_id IS NULL").update();
  }

  /** Returns the target of a link; empty if the link is not valid. */
  public Optional<OneTimeLink.Target> find(String token) {
    return sql.sql(
            "SELECT "
                + OperatorRows.COLUMNS
                + " FROM operator_links l LEFT JOIN operators o ON o.id = l.operator_id"
                + " WHERE l.token_hash = ? AND l.expires_at > ?")
        .param(Tokens.hash(token))
        .param(clock.millis())
        .query(
            (row, number) ->
                row.getString("id") == null
                    ? new OneTimeLink.Target(null)
                    : new OneTimeLink.Target(OperatorRows.operator(row, number)))
        .optional();
  }

  /** Uses up a link and returns whether it was valid. */
  public boolean take(String token) {
    return !sql.sql(
            "DELETE FROM operator_links WHERE token_hash = ? AND expires_at > ?"
                + " RETURNING token_hash")
        .param(Tokens.hash(token))
        .param(clock.millis())
        .query(String.class)
        .list()
        .isEmpty();
  }

  private OneTimeLink insert(@Nullable Operator operator, @Nullable String node) {
    String token = tokens.secret();
    Instant end = clock.instant().truncatedTo(ChronoUnit.MILLIS).plus(LIFETIME);
    sql.sql(
            "INSERT INTO operator_links (token_hash, operator_id, expires_at, node)"
                + " VALUES (?, ?, ?, ?)")
        .param(Tokens.hash(token))
        .param(operator == null ? null : operator.id())
        .param(end.toEpochMilli())
        .param(node)
        .update();
    return new OneTimeLink(operator, token, end);
  }
}
