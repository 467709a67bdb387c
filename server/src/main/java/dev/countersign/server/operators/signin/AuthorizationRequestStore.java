package dev.countersign.server.operators.signin;

import dev.countersign.server.operators.OperatorRows;
import dev.countersign.server.operators.Tokens;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.purge.Purge;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stores the sign-ins that wait for the OpenID provider. They are in the database, so that any node
 * can complete them. Each sign-in can be completed only once, within ten minutes, and only in the
 * browser that began it.
 */
public final class AuthorizationRequestStore {
  private static final Duration LIFETIME = Duration.ofMinutes(10);
  // At most this many waiting sign-ins are kept.
  private static final int MAX_REQUESTS = 10_000;

  private final Database database;
  private final Clock clock;

  public AuthorizationRequestStore(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Stores a sign-in. Anybody may begin a sign-in, so only the latest 10,000 are kept.
   *
   * @param state the random value of this sign-in, which the provider sends back
   * @param browser the secret in the browser's cookie
   */
  public void save(String state, String browser, StoredAuthorizationRequest pending) {
    database.write(
        sql -> {
          // Takes the lock on accounts. Otherwise two nodes could deadlock when they delete old
          // rows at the same time.
          new OperatorRows(sql).lock();
          makeRoom(sql);
          return sql.sql(
                  "INSERT INTO openid_sign_ins (state_hash, browser_hash, nonce, code_verifier,"
                      + " redirect, expires_at) VALUES (?, ?, ?, ?, ?, ?)")
              .param(Tokens.hash(state))
              .param(Tokens.hash(browser))
              .param(pending.nonce())
              .param(pending.codeVerifier())
              .param(pending.redirect())
              .param(clock.instant().plus(LIFETIME).toEpochMilli())
              .update();
        });
  }

  /**
   * Claims a sign-in when the browser returns from the provider. It cannot be claimed again.
   * Returns empty if the sign-in has expired, was claimed before, began in another browser or never
   * existed.
   */
  public Optional<StoredAuthorizationRequest> claim(String state, String browser) {
    // Checks with a read first, so that made-up requests do not delay writers.
    if (!exists(state, browser)) {
      return Optional.empty();
    }
    return database.write(
        sql ->
            sql.sql(
                    """
                    DELETE FROM openid_sign_ins
                    WHERE state_hash = ? AND browser_hash = ? AND expires_at > ?
                    RETURNING nonce, code_verifier, redirect\
                    """)
                .param(Tokens.hash(state))
                .param(Tokens.hash(browser))
                .param(clock.millis())
                .query(
                    (row, number) ->
                        new StoredAuthorizationRequest(
                            row.getString(1), row.getString(2), row.getString(3)))
                .optional());
  }

  /** Returns whether a sign-in can be claimed. */
  public boolean exists(String state, String browser) {
    return database.read(
            sql ->
                sql.sql(
                        "SELECT count(*) FROM openid_sign_ins"
                            + " WHERE state_hash = ? AND browser_hash = ? AND expires_at > ?")
                    .param(Tokens.hash(state))
                    .param(Tokens.hash(browser))
                    .param(clock.millis())
                    .query(Long.class)
                    .single())
        > 0;
  }

  private void makeRoom(JdbcClient sql) {
    sql.sql("DELETE FROM openid_sign_ins WHERE expires_at <= ?")
        .param(Purge.now(sql, database.dialect(), clock).toEpochMilli())
        .update();
    sql.sql(
            """
            DELETE FROM openid_sign_ins WHERE state_hash IN (
              SELECT state_hash FROM openid_sign_ins
              ORDER BY expires_at DESC, state_hash LIMIT 1000000 OFFSET ?)\
            """)
        .param(MAX_REQUESTS - 1)
        .update();
  }
}
