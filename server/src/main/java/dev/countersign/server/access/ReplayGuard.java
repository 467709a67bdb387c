package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.IdempotentAnswers.IdempotencyKey;
import dev.countersign.server.access.IdempotentAnswers.Kept;
import dev.countersign.server.access.directory.CommittedClients;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 *       Reason#SCOPE_VIOLATION}).
 *   <li>first: the {@link ReplayFloor} proves that no earlier claim of it was deleted; otherwise it
 *       is refused with {@link Reason#CREATED_TOO_OLD}.
 *   <li>written: the write has returned its answer, which is stored under the key. After {@link
 *       StoredAnswer.Refused}, the key is free again, and the request as it was signed is claimed.
 *   <li>confirmed: the client, as committed by now, still passes its checks.
 *   <li>committed. If the database does not confirm the commit, the next of the {@link Attempts}
 *       begins at <em>claimed</em> and finds out whether an earlier one was committed. When the
 *       time of the request is over, it ends with {@link Reason#OUTCOME_UNKNOWN}.
 *   <li>answered.
 * </ol>
 *
 * <p>A write runs again if the database did not confirm its commit and the write turns out not to
 * be stored ({@link Attempts}). Everything that it does outside its transaction is then done twice.
 */
public final class ReplayGuard {
  private static final Logger LOG = LoggerFactory.getLogger(ReplayGuard.class);

  private final Database database;
  private final CommittedClients clients;
  private final ReplayClaims claims;
  private final IdempotentAnswers answers;
  private final ReplayFloor floor = new ReplayFloor();
  private final Clock clock;
  private final Set<IdempotencyKey> running = ConcurrentHashMap.newKeySet();

  /**
   * Creates a guard.
   *
   * @param clients reads the calling client in the transaction of its write
   */
  public ReplayGuard(
      Database database, CommittedClients clients, CryptoProvider crypto, Clock clock) {
    this.database = database;
    this.clients = clients;
    this.claims = new ReplayClaims(crypto, clock);
    this.answers = new IdempotentAnswers(crypto, floor, database.dialect(), clock);
    this.clock = clock;
  }

  /**
   * Executes a write unless the request was executed before. The transaction ends with the checks
   * {@code client}, {@code address}, the key of {@code signature} and {@code authorization} on the
   * client as committed by then.
   *
   * @param request the verified request; a stored answer is returned only under the scope of its
   *     {@link Operation#authorize} that it was made under
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
    Optional<String> key = request.idempotencyKey();
    CurrentAuthorization authorization = new CurrentAuthorization(request);
    try {
      StoredAnswer committed =
          key.isPresent()
              ? performKeyed(request, key.get(), authorization, write)
              : performOnce(request, authorization, write);
      return switch (committed) {
        case StoredAnswer.Done done -> done;
        case StoredAnswer.Refused refused -> throw refused.denial().asException();
      };
    } catch (StoreUnavailableException.CommitUnknown unknown) {
      LOG.warn(
          "the outcome of a write of client {} is not known: {}",
          request.client().clientId(),
          unknown.getMessage());
      throw unknown(key.isPresent());
    }
  }

  private static DeniedException unknown(boolean isKeyed) {
    String how =
        isKeyed
            ? "; send the request again with the same Idempotency-Key to learn the outcome"
            : "; before you send the request again, find out whether it was executed, for example"
                + " by reading the collection; to retry safely, send an Idempotency-Key";
    return Denial.of(
            Reason.OUTCOME_UNKNOWN,
            "the database did not confirm the write, which may have been executed" + how)
        .withHeader("Retry-After", "1")
        .asException();
  }

  private StoredAnswer performOnce(
      SignedRequest request,
      CurrentAuthorization authorization,
      Function<JdbcClient, StoredAnswer> write) {
    return new Attempts<StoredAnswer>()
        .run(
            connections(request),
            (sql, attempts) ->
                request
                    .facts()
                    .enter(Check.REPLAY, () -> claimRequest(sql, request, attempts))
                    .orElseGet(() -> authorization.confirm(sql, write.apply(sql))));
  }

  private Optional<StoredAnswer> claimRequest(
      JdbcClient sql, SignedRequest request, Attempts<StoredAnswer> attempts) {
    Optional<StoredAnswer> own = claims.claimRequest(sql, request, attempts);
    if (own.isEmpty()) {
      requireFirst(sql, request, attempts);
    }
    return own;
  }

  /** Makes sure that a request with new claims was not executed before. */
  private void requireFirst(JdbcClient sql, SignedRequest request, Attempts<?> attempts) {
    floor.require(sql, request, ReplayClaims.keptUntil(request));
    attempts.madeClaim();
  }

  private Database connections(SignedRequest request) {
    return request.client().connections(database);
  }

  private StoredAnswer performKeyed(
      SignedRequest request,
      String value,
      CurrentAuthorization authorization,
      Function<JdbcClient, StoredAnswer> write) {
    IdempotencyKey key = IdempotencyKey.of(request.client().clientId(), value);
    if (!running.add(key)) {
      throw Denial.of(
              Reason.IN_PROGRESS,
              "the first request with this Idempotency-Key is still running; try again")
          .withHeader("Retry-After", "1")
          .in(Check.REPLAY)
          .asException();
    }
    try {
      return new Attempts<StoredAnswer>()
          .run(
              connections(request),
              (sql, attempts) -> {
                Optional<Kept> first =
                    request
                        .facts()
                        .enter(Check.REPLAY, () -> claimKey(sql, key, request, attempts));
                return first.isPresent()
                    ? stored(sql, request, first.get(), authorization)
                    : authorization.confirm(
                        sql,
                        keep(sql, key, authorization.scope, write.apply(sql), request, attempts));
              });
    } finally {
      running.remove(key);
    }
  }

  /**
   * Stores an answer under its key. After a refusal, the key becomes free, so that the request can
   * be sent again with a new signature. The request as it was signed stays claimed, so that nobody
   * who recorded it can execute it later.
   */
  private StoredAnswer keep(
      JdbcClient sql,
      IdempotencyKey key,
      String scope,
      StoredAnswer answer,
      SignedRequest request,
      Attempts<StoredAnswer> attempts) {
    return switch (answer) {
      case StoredAnswer.Done done -> answers.keep(sql, key, scope, done);
      case StoredAnswer.Refused refused -> {
        answers.release(sql, key);
        claims.claimBase(sql, request, attempts);
        yield refused;
      }
    };
  }

  private StoredAnswer stored(
      JdbcClient sql, SignedRequest request, Kept first, CurrentAuthorization authorization) {
    StoredAnswer answer =
        request
            .facts()
            .enter(Check.AUTHORIZATION, () -> answers.answer(first, authorization.scope));
    // A write of this very request that was committed is answered as committed.
    return first.isOwn() ? answer : authorization.confirm(sql, answer);
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
      request.client().requireKnowledge();
      Optional<RegisteredClient> committed = clients.find(sql, request.client().clientId());
      CallingClient still = request.client().requireUnchanged(committed, clock.instant());
      if (!request.operation().authorize(still).equals(scope)) {
        throw Denial.of(
                Reason.SCOPE_VIOLATION,
                "the client's attributes changed while the request was processed; send it again")
            .in(Check.AUTHORIZATION)
            .asException();
      }
      return answer;
    }
  }

  /** Returns the answer to an earlier request with this key; empty if this is the first. */
  private Optional<Kept> claimKey(
      JdbcClient sql, IdempotencyKey key, SignedRequest request, Attempts<StoredAnswer> attempts) {
    Optional<StoredAnswer> own =
        claims
            .claimNonce(sql, request, attempts)
            .or(() -> claims.requireUnclaimed(sql, request, attempts));
    if (own.isPresent()) {
      return own.map(Kept::own);
    }
    Optional<Kept> kept = answers.claim(sql, key, request, attempts);
    if (kept.isPresent()) {
      return kept;
    }
    // The key may have become free while this request waited for it, by a refusal of the same
    // signed request on another node.
    Optional<StoredAnswer> refused = claims.requireUnclaimed(sql, request, attempts);
    if (refused.isPresent()) {
      answers.release(sql, key);
      return refused.map(Kept::own);
    }
    requireFirst(sql, request, attempts);
    return kept;
  }

  /**
   * Claims the nonce of a safe request, if it has one.
   *
   * @throws DeniedException {@link Reason#REPLAYED} if the client has sent this nonce before,
   *     {@link Reason#CREATED_TOO_OLD} if the service can no longer be sure of that
   */
  public void claimNonce(SignedRequest request) {
    request.facts().enter(Check.REPLAY, () -> claimNonceIfSent(request));
  }

  private void claimNonceIfSent(SignedRequest request) {
    if (request.signature().parameters().nonce().isPresent()) {
      new Attempts<SignedRequest>()
          .run(
              connections(request),
              (sql, attempts) -> {
                if (claims.claimNonce(sql, request, attempts).isEmpty()) {
                  requireFirst(sql, request, attempts);
                }
                return request;
              });
    }
  }
}
