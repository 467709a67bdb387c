package dev.countersign.server.operators.sessions;

import dev.countersign.server.operators.Addresses;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.Operator.Status;
import dev.countersign.server.operators.OperatorNames;
import dev.countersign.server.operators.OperatorRows;
import dev.countersign.server.operators.Tokens;
import dev.countersign.server.operators.signin.SignInException;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.purge.Purge;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The sessions of the portal. The database stores the sessions, so that any node can serve them. A
 * session ends at once if its account is disabled, removed or reset, or gets a new password.
 */
public final class SessionStore {
  private final Database database;
  private final SessionLimits limits;
  private final Clock clock;
  private final Tokens tokens;

  public SessionStore(Database database, SessionLimits limits, Clock clock, SecureRandom random) {
    this.database = database;
    this.limits = limits;
    this.clock = clock;
    this.tokens = new Tokens(random);
  }

  /**
   * Begins a session for an operator who has just signed in.
   *
   * @param operator the operator that the sign-in returned
   * @throws SignInException if the account was disabled or its password changed since the sign-in
   */
  public NewSession start(Operator operator, InetAddress address, String userAgent) {
    String token = tokens.secret();
    SessionRows.Row row =
        new SessionRows.Row(
            tokens.id(), operator, now(), now(), Addresses.text(address), shown(userAgent));
    boolean started =
        database.write(
            sql -> {
              boolean isRecorded = new OperatorRows(sql).tryRecordSignIn(operator, now());
              if (isRecorded) {
                new SessionRows(sql).insert(Tokens.hash(token), row);
              }
              return isRecorded;
            });
    if (!started) {
      throw SignInException.refused();
    }
    return new NewSession(token, session(row));
  }

  /**
   * Returns the session of a token; empty if it has ended or the account is not enabled. Extends
   * the session, unless the activity is {@link SessionActivity#BACKGROUND}.
   */
  public Optional<OperatorSession> find(String token, SessionActivity activity) {
    String hash = Tokens.hash(token);
    Instant now = now();
    Optional<SessionRows.Row> valid =
        database
            .read(sql -> new SessionRows(sql).find(hash))
            .filter(row -> row.operator().status() == Status.ENABLED)
            .filter(row -> now.isBefore(session(row).expiresAt()));
    if (valid.isEmpty() || activity == SessionActivity.BACKGROUND || !isDue(valid.get(), now)) {
      return valid.map(this::session);
    }
    boolean exists = database.write(sql -> new SessionRows(sql).noteActivity(hash, now));
    return valid.filter(row -> exists).map(row -> session(row.withLastActiveAt(now)));
  }

  /** Returns the running sessions of an operator, latest first. */
  public List<OperatorSession> of(String operatorId) {
    return database.read(sql -> new SessionRows(sql).findByOperator(operatorId)).stream()
        .map(this::session)
        .filter(session -> now().isBefore(session.expiresAt()))
        .toList();
  }

  /** Ends the session of a token, if there is one. */
  public void end(String token) {
    String hash = Tokens.hash(token);
    database.write(sql -> new SessionRows(sql).delete(hash));
  }

  /** Ends all sessions of an operator. */
  public void endAll(String operatorId) {
    database.write(
        sql -> {
          new OperatorRows(sql).endSessions(operatorId);
          return true;
        });
  }

  /** Returns a batch that deletes ended sessions. */
  Purge.Batch expired() {
    return (sql, now, limit) ->
        new SessionRows(sql)
            .deleteEnded(
                database.dialect(), now.minus(limits.absolute()), now.minus(limits.idle()), limit);
  }

  private boolean isDue(SessionRows.Row row, Instant now) {
    return !row.lastActiveAt().plus(limits.writeInterval()).isAfter(now);
  }

  private OperatorSession session(SessionRows.Row row) {
    Instant idleEnd = row.lastActiveAt().plus(limits.idle());
    Instant end = row.startedAt().plus(limits.absolute());
    return new OperatorSession(
        row.id(),
        row.operator(),
        row.startedAt(),
        row.lastActiveAt(),
        idleEnd.isBefore(end) ? idleEnd : end,
        row.address(),
        row.userAgent());
  }

  private static String shown(String userAgent) {
    return OperatorNames.visible(userAgent, 200);
  }

  // Truncates the time to milliseconds, so that stored and returned times are equal.
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /**
   * A session that has just begun.
   *
   * @param token the secret of the session, for the cookie only
   * @param session the session
   */
  public record NewSession(String token, OperatorSession session) {

    /** Returns a string without the token. */
    @Override
    public String toString() {
      return "NewSession[" + session + "]";
    }
  }
}
