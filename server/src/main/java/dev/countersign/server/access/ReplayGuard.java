package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The check {@code replay}. An unsafe request is executed once: it is claimed in the same
 * transaction as its write. If the write throws, the claim is rolled back: a request that fails, or
 * is refused with an exception, does not consume its claim. An answer that the write returns is
 * committed, even if it is a refusal. The check ends with the claim: a request whose write fails
 * has passed the check.
 *
 * <p>A request is identified by its client and the SHA-256 of its signature base. A request with an
 * Idempotency-Key is identified by the key instead. It may be sent again with a new signature, and
 * gets the first answer.
 */
public final class ReplayGuard {
  private final Database database;
  private final ReplayClaims claims;
  private final IdempotentAnswers answers;
  private final Clock clock;
  private final Set<IdempotentAnswers.IdempotencyKey> running = ConcurrentHashMap.newKeySet();

  public ReplayGuard(Database database, CryptoProvider crypto, Clock clock) {
    this.database = database;
    this.claims = new ReplayClaims(crypto, clock);
    this.answers = new IdempotentAnswers(crypto, clock);
    this.clock = clock;
  }

  /**
   * Executes a write that has no scope unless the request was executed before.
   *
   * @see #perform(SignedRequest, String, Function)
   */
  public StoredAnswer perform(SignedRequest request, Function<JdbcClient, StoredAnswer> write) {
    return perform(request, "", write);
  }

  /**
   * Executes a write unless the request was executed before.
   *
   * @param request the verified request
   * @param scope a text that identifies the scope of the write. A stored answer is returned only
   *     under the scope that it was made under
   * @param write makes the change and returns its answer; an exception rolls back the claim as well
   * @throws DeniedException {@link Reason#REPLAYED}, {@link Reason#IDEMPOTENCY_MISMATCH}, {@link
   *     Reason#IN_PROGRESS} or {@link Reason#SCOPE_VIOLATION}
   */
  public StoredAnswer perform(
      SignedRequest request, String scope, Function<JdbcClient, StoredAnswer> write) {
    Optional<String> key = request.idempotencyKey();
    if (key.isPresent()) {
      return performKeyed(
          IdempotentAnswers.IdempotencyKey.of(request.client().clientId(), key.get()),
          request,
          scope,
          write);
    }
    return database.write(
        sql -> {
          request.facts().enter(Check.REPLAY, () -> claims.claimRequest(sql, request));
          return known(request, write.apply(sql));
        });
  }

  private StoredAnswer performKeyed(
      IdempotentAnswers.IdempotencyKey key,
      SignedRequest request,
      String scope,
      Function<JdbcClient, StoredAnswer> write) {
    if (!running.add(key)) {
      throw Denial.of(
              Reason.IN_PROGRESS,
              "the first request with this Idempotency-Key is still running; try again")
          .withHeader("Retry-After", "1")
          .in(Check.REPLAY)
          .asException();
    }
    try {
      return database.write(
          sql -> {
            Optional<IdempotentAnswers.Kept> first =
                request.facts().enter(Check.REPLAY, () -> claim(sql, key, request));
            return known(
                request,
                first.isPresent()
                    ? request
                        .facts()
                        .enter(Check.AUTHORIZATION, () -> answers.answer(first.get(), scope))
                    : answers.keep(sql, key, scope, write.apply(sql)));
          });
    } finally {
      running.remove(key);
    }
  }

  /** Returns an answer, if what the node knew of the client is not too old before the commit. */
  private static StoredAnswer known(SignedRequest request, StoredAnswer answer) {
    request.client().requireKnowledge();
    return answer;
  }

  /** Returns the answer to an earlier request with this key; empty if this is the first. */
  private Optional<IdempotentAnswers.Kept> claim(
      JdbcClient sql, IdempotentAnswers.IdempotencyKey key, SignedRequest request) {
    claims.claimNonce(sql, request);
    return answers.claim(sql, key, request);
  }

  /**
   * Claims the nonce of a safe request, if it has one.
   *
   * @throws DeniedException {@link Reason#REPLAYED} if the client has sent this nonce before
   */
  public void claimNonce(SignedRequest request) {
    request.facts().enter(Check.REPLAY, () -> claimNonceIfSent(request));
  }

  private void claimNonceIfSent(SignedRequest request) {
    if (request.signature().parameters().nonce().isPresent()) {
      database.write(
          sql -> {
            claims.claimNonce(sql, request);
            return request;
          });
    }
  }

  /** Deletes old data: claims of signatures that are too old, and answers older than a day. */
  public void purge() {
    Instant now = clock.instant();
    database.write(sql -> claims.purge(sql, now) + answers.purge(sql, now));
  }
}
