package dev.countersign.server.operators;

import dev.countersign.server.store.Database;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The sign-ins that are at the OpenID provider, so that they may come back to any node. Each comes
 * back once, within ten minutes, in the browser that it began in.
 */
public final class OpenIdSignIns {
  private static final Duration LIFETIME = Duration.ofMinutes(10);
  private static final int MOST = 10_000;

  private final Database database;
  private final Clock clock;

  public OpenIdSignIns(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Keeps a sign-in. As strangers may begin them, only the latest ten thousand are kept.
   *
   * @param state what the provider gives back, made for this sign-in alone
   * @param browser the secret that the browser has in a cookie
   */
  public void save(String state, String browser, PendingSignIn pending) {
    database.write(
        sql -> {
          // One at a time, so that two that make room do not wait for each other's rows.
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
   * The sign-in that comes back, which nobody can claim again; empty when it is too old, was
   * claimed, began in another browser or never was.
   */
  public Optional<PendingSignIn> claim(String state, String browser) {
    // Strangers may ask for what never was: that does not make anybody wait who writes.
    if (!isThere(state, browser)) {
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
                        new PendingSignIn(row.getString(1), row.getString(2), row.getString(3)))
                .optional());
  }

  private boolean isThere(String state, String browser) {
    return database.read(
            sql ->
                sql.sql(
                        "SELECT count(*) FROM openid_sign_ins"
                            + " WHERE state_hash = ? AND browser_hash = ?")
                    .param(Tokens.hash(state))
                    .param(Tokens.hash(browser))
                    .query(Long.class)
                    .single())
        > 0;
  }

  private void makeRoom(JdbcClient sql) {
    sql.sql("DELETE FROM openid_sign_ins WHERE expires_at <= ?").param(clock.millis()).update();
    sql.sql(
            """
            DELETE FROM openid_sign_ins WHERE state_hash IN (
              SELECT state_hash FROM openid_sign_ins
              ORDER BY expires_at DESC, state_hash LIMIT 1000000 OFFSET ?)\
            """)
        .param(MOST - 1)
        .update();
  }
}
