package dev.countersign.server.once;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.directory.CommittedClients;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.once.Claims.Claim;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The check {@code replay}. An unsafe request is executed once: it is claimed in the same
 * transaction as its write. If the write throws, the claim is rolled back: a request that fails, or
 * is refused with an exception, does not consume its claim. Every answer that the write returns is
 * committed, including {@link StoredAnswer.Refused}. The check ends with the claim: a request whose
 * write fails has passed the check.
 *
 * <p>A request is identified by its client and the SHA-256 of its signature base. A request with an
 * Idempotency-Key is identified by the key instead. It may be sent again with a new signature, and
 * gets the first answer.
 *
 * <p>An unsafe request goes through these states. Those from <em>claimed</em> to <em>confirmed</em>
 * are in one transaction, and an exception in them rolls it back.
 *
 * <ol>
 *   <li>authorized: the scope of its client is known.
 *   <li>running: its Idempotency-Key, if it has one, is not in use by another request on this node;
 *       otherwise it is refused with {@link Reason#IN_PROGRESS}.
 *   <li>claimed: another claim with the same identity refuses it with {@link Reason#REPLAYED}.
 *       Under its key, it resumes at <em>confirmed</em> with the stored answer, if that was given
 *       to the same request ({@link Reason#IDEMPOTENCY_MISMATCH}) under the same scope ({@link
 *       Reason#SCOPE_VIOLATION}). Both ways to claim are {@link Claims}.
 *   <li>first: the {@link ReplayFloor} proves that no earlier claim of it was deleted; otherwise it
 *       is refused with {@link Reason#CREATED_TOO_OLD}.
 *   <li>written: the write has returned its answer, which is stored under the key. After {@link
 *       StoredAnswer.Refused}, the key is free again, and the request as it was signed is claimed.
 *   <li>confirmed: the client, as committed by now, still passes its checks.
 *   <li>committed. If the database does not confirm the commit, the next of the {@linkplain
 *       CommitAttempts attempts} begins at <em>claimed</em> and finds out whether an earlier one
 *       was committed. When the time of the request is over, it ends with {@link
 *       Reason#OUTCOME_UNKNOWN}.
 *   <li>answered.
 * </ol>
 *
 * <p>A write runs again if the database did not confirm its commit and the write turns out not to
 * be stored ({@link CommitAttempts}). Everything that it does outside its transaction is then done
 * twice.
 */
public final class ReplayGuard {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayGuard.class);

  // A safe request stores no answer with its nonce.
  private static final StoredAnswer NO_ANSWER = new StoredAnswer.Done(200, Map.of(), "");

  private final Database database;
  private final CommittedClients clients;
  private final ReplayClaims bySignature;
  private final IdempotentAnswers byKey;
  private final ReplayFloor floor = new ReplayFloor();
  private final Clock clock;

  /**
   * Creates a guard.
   *
   * @param clients reads the calling client in the transaction of its write
   */
  public ReplayGuard(
      Database database, CommittedClients clients, CryptoProvider crypto, Clock clock) {
    this.database = database;
    this.clients = clients;
    this.bySignature = new ReplayClaims(crypto, clock);
    this.byKey = new IdempotentAnswers(bySignature, crypto, floor, database.dialect(), clock);
    this.clock = clock;
  }

  /**
   * Executes a write unless the request was executed before. The transaction ends with the checks
   * {@code client}, {@code address}, the key of {@code signature} and {@code authorization} on the
   * client as committed by then.
   *
   * @param request the verified request; a stored answer is returned only if {@code
   *     Operation.authorize} returns the scope under which the answer was made
   * @param write makes the change and returns its answer; an exception rolls back the claim as
   *     well, {@link StoredAnswer.Refused} does not. It runs once in each transaction that may be
   *     committed
   * @throws DeniedException {@link Reason#REPLAYED}, {@link Reason#CREATED_TOO_OLD}, {@link
   *     Reason#IDEMPOTENCY_MISMATCH}, {@link Reason#IN_PROGRESS}, {@link Reason#SCOPE_VIOLATION},
   *     or the denial of a check that the client no longer passes; the denial of {@link
   *     StoredAnswer.Refused}, after the commit; {@link Reason#OUTCOME_UNKNOWN} if the database did
   *     not confirm the commit and the outcome could not be found out in time
   */
  public StoredAnswer.Done perform(
      SignedRequest request, Function<JdbcClient, StoredAnswer> write) {
    boolean isKeyed = request.idempotencyKey().isPresent();
    CurrentAuthorization authorization = new CurrentAuthorization(request);
    try {
      StoredAnswer committed =
          isKeyed
              ? byKey.exclusively(request, () -> execute(request, byKey, authorization, write))
              : execute(request, bySignature, authorization, write);
      return switch (committed) {
        case StoredAnswer.Done done -> done;
        case StoredAnswer.Refused refused -> throw refused.denial().asException();
      };
    } catch (StoreUnavailableException.CommitUnknown unknown) {
      LOG.warn(
          "the outcome of a write of client {} is not known: {}",
          request.client().clientId(),
          unknown.getMessage());
      throw unknown(isKeyed);
    }
  }

  private static DeniedException unknown(boolean isKeyed) {
    String advice =
        isKeyed
            ? "; send the request again with the same Idempotency-Key to learn the outcome"
            : "; before you send the request again, find out whether it was executed, for example"
                + " by reading the collection; to retry safely, send an Idempotency-Key";
    return Denial.of(
            Reason.OUTCOME_UNKNOWN,
            "the database did not confirm the write, which may have been executed" + advice)
        .withHeader("Retry-After", "1")
        .asException();
  }

  private StoredAnswer execute(
      SignedRequest request,
      Claims claims,
      CurrentAuthorization authorization,
      Function<JdbcClient, StoredAnswer> write) {
    return new CommitAttempts()
        .run(
            connections(request),
            (sql, attempts) ->
                switch (claim(sql, request, claims, attempts)) {
                  case Claim.Mine mine -> {
                    StoredAnswer answer = write.apply(sql);
                    mine.answers().store(authorization.scope, answer);
                    yield authorization.confirm(sql, answer);
                  }
                  // This very request was committed, and is answered as committed.
                  case Claim.Committed committed -> committed.answer();
                  case Claim.Done done ->
                      authorization.confirm(
                          sql,
                          request
                              .client()
                              .authorize(() -> done.answerUnder().apply(authorization.scope)));
                });
  }

  /** Claims a request in the check {@code replay}. */
  private Claim claim(
      JdbcClient sql, SignedRequest request, Claims claims, CommitAttempts attempts) {
    return request.replay(
        () -> requireFirst(sql, request, claims.claim(sql, request, attempts), attempts));
  }

  /** Makes sure that a request with a new claim was not executed before. */
  private Claim requireFirst(
      JdbcClient sql, SignedRequest request, Claim claim, CommitAttempts attempts) {
    if (claim instanceof Claim.Mine) {
      floor.require(sql, request, ReplayClaims.keptUntil(request));
      attempts.madeClaim();
    }
    return claim;
  }

  private Database connections(SignedRequest request) {
    return request.client().connections(database);
  }

  /** The client's authorization during a write. */
  private final class CurrentAuthorization {
    private final SignedRequest request;
    private final String scope;

    CurrentAuthorization(SignedRequest request) {
      this.request = request;
      this.scope = request.operation().authorize(request.client());
    }

    /**
     * Reads the client as committed and repeats its checks, and returns the answer of the write.
     *
     * <p>Design note: this statement comes last, so that it also sees what was committed while the
     * work waited for locks. It takes no lock: on PostgreSQL, new share locks overtake a waiting
     * exclusive lock, so a client that never stops writing could keep the operator from disabling
     * it. A change that is committed after this statement counts as later than the write. SQLite
     * runs one write at a time.
     */
    StoredAnswer confirm(JdbcClient sql, StoredAnswer answer) {
      request.client().requireFresh();
      Optional<RegisteredClient> committed = clients.find(sql, request.client().clientId());
      CallingClient current = request.client().requireUnchanged(committed, clock.instant());
      if (!request.operation().authorize(current).equals(scope)) {
        throw Denial.of(
                Reason.SCOPE_VIOLATION,
                "the client's attributes changed while the request was processed; send it again")
            .in(Check.AUTHORIZATION)
            .asException();
      }
      return answer;
    }
  }

  /**
   * Claims the nonce of a safe request, if it has one.
   *
   * @throws DeniedException {@link Reason#REPLAYED} if the client has sent this nonce before,
   *     {@link Reason#CREATED_TOO_OLD} if the service can no longer be sure of that, {@link
   *     Reason#OVERLOADED} if the database did not confirm the claim
   */
  public void claimNonce(SignedRequest request) {
    try {
      request.replay(() -> claimNonceIfSent(request));
    } catch (StoreUnavailableException.CommitUnknown unknown) {
      LOG.warn(
          "it is not known whether a nonce of client {} was stored: {}",
          request.client().clientId(),
          unknown.getMessage());
      // Not OUTCOME_UNKNOWN: the request was not executed.
      throw Denial.of(
              Reason.OVERLOADED,
              "the database did not confirm the nonce, which may count as used; sign the request"
                  + " again with a new nonce")
          .withHeader("Retry-After", "1")
          .asException();
    }
  }

  private StoredAnswer claimNonceIfSent(SignedRequest request) {
    return request.signature().parameters().nonce().isEmpty()
        ? NO_ANSWER
        : new CommitAttempts()
            .run(
                connections(request),
                (sql, attempts) -> {
                  requireFirst(
                      sql, request, bySignature.claimNonce(sql, request, attempts), attempts);
                  return NO_ANSWER;
                });
  }
}
