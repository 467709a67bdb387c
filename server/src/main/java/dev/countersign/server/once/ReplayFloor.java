package dev.countersign.server.once;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.store.Alarm;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A lower limit for the times of requests, stored in the database. A request whose claim or answer
 * may have been deleted is refused, whatever the clocks say.
 *
 * <p>The floor is the latest {@code kept_until} of all deleted claims and the latest {@code
 * created} of all deleted claims and answers. It is raised in the transaction that deletes them, by
 * {@link ReplayPurge} and {@link IdempotentAnswers}. A write first makes its claim and then reads
 * the floor, in the same transaction. If the same request was claimed before, there are two cases.
 * The earlier claim exists, and the new one conflicts with it. Or the earlier claim was deleted:
 * the new claim then succeeds only after the deletion has been committed, so the statement that
 * then reads the floor sees it raised. PostgreSQL guarantees that at the isolation level READ
 * COMMITTED; SQLite runs one write at a time.
 *
 * <p>The floor is never raised above what was deleted. If a clock is wrong and claims are deleted
 * too early, requests that are signed afterwards still pass.
 */
final class ReplayFloor {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayFloor.class);

  // Its cause is the time up to which writes are refused.
  private final Alarm ahead = new Alarm();

  /**
   * Refuses a request that may have been executed before. Must be called after the request's claim,
   * in the same transaction.
   *
   * @param keptUntil the time until which claims of this request are kept
   * @throws DeniedException {@link Reason#CREATED_TOO_OLD}
   */
  void require(JdbcClient sql, SignedRequest request, Instant keptUntil) {
    Limits limits = read(sql);
    boolean isSignedTooEarly = request.created().getEpochSecond() <= limits.created;
    if (isSignedTooEarly || keptUntil.getEpochSecond() <= limits.keptUntil) {
      throw new DeniedException(
          Reason.CREATED_TOO_OLD,
          "created is "
              + request.created()
              + ", but requests "
              + (isSignedTooEarly
                  ? "signed until " + Instant.ofEpochSecond(limits.created)
                  : "accepted until " + refusedUntil(limits, request, keptUntil))
              + " can no longer be distinguished from replays; sign the request anew, and tell the"
              + " operator if that does not help");
    }
  }

  /** Returns the limit for the time until which requests of this kind are accepted. */
  private static Instant refusedUntil(Limits limits, SignedRequest request, Instant keptUntil) {
    return Instant.ofEpochSecond(limits.keptUntil)
        .minus(Duration.between(request.acceptedUntil(), keptUntil));
  }

  /**
   * Raises the floor to the limits of rows that the same transaction deletes. Other transactions
   * that raise it wait until this one has ended.
   */
  void raise(JdbcClient sql, long keptUntil, long created) {
    sql.sql(
            """
            UPDATE replay_floor
            SET kept_until = CASE WHEN kept_until < :keptUntil THEN :keptUntil ELSE kept_until END,
              created = CASE WHEN created < :created THEN :created ELSE created END
            WHERE id = 1\
            """)
        .param("keptUntil", keptUntil)
        .param("created", created)
        .update();
  }

  /**
   * Logs once if the floor is ahead of the database's time, and once when that is over. The floor
   * gets there if requests were signed and deleted while the database's clock was ahead. Until its
   * time has come, writes are refused.
   *
   * @param now an expression for the database's time
   * @return the time up to which writes are refused; empty if the floor is in the past
   */
  Optional<Instant> logIfAhead(JdbcClient sql, String now) {
    Optional<Instant> refusedUntil =
        sql.sql("SELECT created FROM replay_floor WHERE id = 1 AND created > " + now)
            .query(Long.class)
            .optional()
            .map(Instant::ofEpochSecond);
    if (refusedUntil.isPresent()) {
      if (ahead.raise(refusedUntil.get().toString())) {
        LOG.error(
            "writes signed before {} are refused with created_too_old: the clock of the database"
                + " was ahead, and the claims of requests signed until then were deleted; correct"
                + " the clock, then see Clocks in docs/operating.md",
            refusedUntil.get());
      }
    } else {
      ahead
          .clear()
          .ifPresent(
              until ->
                  LOG.info(
                      "writes are accepted again: they are no longer refused until {}", until));
    }
    return refusedUntil;
  }

  private static Limits read(JdbcClient sql) {
    return sql.sql("SELECT kept_until, created FROM replay_floor WHERE id = 1")
        .query((row, n) -> new Limits(row.getLong(1), row.getLong(2)))
        .single();
  }

  /** The floor, in seconds since 1970. */
  private record Limits(long keptUntil, long created) {}
}
