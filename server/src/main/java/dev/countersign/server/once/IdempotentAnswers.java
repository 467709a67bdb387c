package dev.countersign.server.once;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.Sha256;
import dev.countersign.server.store.purge.Purge;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Claims requests by their Idempotency-Key. Stores each answer to such a request for a day, and
 * returns it if the request is repeated.
 *
 * <p>A request that is new under its key must also be new as it was signed. So its signature base
 * is looked up in {@link ReplayClaims}, and its nonce is claimed there.
 */
final class IdempotentAnswers implements Claims {
  private static final long KEPT_SECONDS = Duration.ofHours(24).toSeconds();
  private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {};

  private final ReplayClaims bySignature;
  private final CryptoProvider crypto;
  private final ReplayFloor floor;
  private final Dialect dialect;
  private final Clock clock;
  private final JsonMapper json = JsonMapper.shared();
  private final Set<IdempotencyKey> running = ConcurrentHashMap.newKeySet();

  /**
   * Creates the store.
   *
   * @param bySignature the claims of the same requests as they were signed
   * @param floor the floor, which is raised if an expired answer gives way to a new request
   * @param clock the time of SQLite, which has no clock
   */
  IdempotentAnswers(
      ReplayClaims bySignature,
      CryptoProvider crypto,
      ReplayFloor floor,
      Dialect dialect,
      Clock clock) {
    this.bySignature = bySignature;
    this.crypto = crypto;
    this.floor = floor;
    this.dialect = dialect;
    this.clock = clock;
  }

  /**
   * Does the work for a request unless another request with its key is running on this node.
   *
   * <p>Design note: this is outside the transaction. Inside it, a repeated request would wait for
   * the first one instead of being refused.
   *
   * @throws DeniedException {@link Reason#IN_PROGRESS} if another request with the key is running,
   *     {@link Reason#REQUEST_MALFORMED} if the key is malformed
   */
  <T> T exclusively(SignedRequest request, Supplier<T> work) {
    IdempotencyKey key = IdempotencyKey.of(request);
    if (!running.add(key)) {
      throw Denial.of(
              Reason.IN_PROGRESS,
              "the first request with this Idempotency-Key is still running; try again")
          .withHeader("Retry-After", "1")
          .in(Check.REPLAY)
          .asException();
    }
    try {
      return work.get();
    } finally {
      running.remove(key);
    }
  }

  /**
   * Claims the key of a request.
   *
   * @return {@link Claim.Done} if the key was used for this request before
   * @throws DeniedException {@link Reason#IDEMPOTENCY_MISMATCH} if the key was used with another
   *     method, URL or body, or as {@link ReplayClaims#claim}
   */
  @Override
  public Claim claim(JdbcClient sql, SignedRequest request, CommitAttempts attempts) {
    Claim nonce = bySignature.claimNonce(sql, request, attempts);
    if (nonce instanceof Claim.Committed) {
      return nonce;
    }
    Optional<Claim.Committed> own = bySignature.findCommittedOrRefuse(sql, request, attempts);
    return own.isPresent() ? own.get() : claimKey(sql, request, attempts);
  }

  private Claim claimKey(JdbcClient sql, SignedRequest request, CommitAttempts attempts) {
    IdempotencyKey key = IdempotencyKey.of(request);
    Row row =
        new Row(key, request.digest(crypto), request.created().getEpochSecond(), attempts.id());
    Optional<Stored> stored = Optional.empty();
    // Another node may purge an expired answer between two of these statements.
    while (stored.isEmpty()) {
      if (insert(sql, row)) {
        return claimFreeKey(sql, key, request, attempts);
      }
      stored = deleteExpired(sql, row) ? Optional.empty() : read(sql, key);
    }
    return held(sql, row, stored.get(), attempts);
  }

  /**
   * Completes the claim of a key that was free. It may have become free while this request waited
   * for it, by a refusal of the same signed request on another node.
   */
  private Claim claimFreeKey(
      JdbcClient sql, IdempotencyKey key, SignedRequest request, CommitAttempts attempts) {
    Optional<Claim.Committed> refused = bySignature.findCommittedOrRefuse(sql, request, attempts);
    if (refused.isPresent()) {
      release(sql, key);
      return refused.get();
    }
    return new Claim.Mine(storeUnder(sql, key, request, attempts));
  }

  private StoredAnswer answerUnder(String scope, Stored stored) {
    if (!stored.scopeDigest.equals(digest(scope))) {
      throw new DeniedException(
          Reason.SCOPE_VIOLATION,
          "the client's attributes have changed since this Idempotency-Key was first sent; use a"
              + " new key");
    }
    return replayed(stored);
  }

  /**
   * Stores answers under a key. After a refusal, the key becomes free, so that the request can be
   * sent again with a new signature. The request as it was signed stays claimed, so that nobody who
   * recorded it can execute it later.
   */
  private Claims.AnswerStore storeUnder(
      JdbcClient sql, IdempotencyKey key, SignedRequest request, CommitAttempts attempts) {
    return (scope, answer) -> {
      switch (answer) {
        case StoredAnswer.Done done -> update(sql, key, scope, done);
        case StoredAnswer.Refused refused -> {
          release(sql, key);
          bySignature.claimBase(sql, request, attempts);
        }
      }
    };
  }

  private static void release(JdbcClient sql, IdempotencyKey key) {
    sql.sql("DELETE FROM idempotent_answers WHERE client_id = ? AND idempotency_key = ?")
        .param(key.clientId())
        .param(key.value())
        .update();
  }

  private void update(JdbcClient sql, IdempotencyKey key, String scope, StoredAnswer.Done answer) {
    sql.sql(
            "UPDATE idempotent_answers SET status = ?, headers = ?, body = ?, scope_digest = ?,"
                + " kept_until = ? + "
                + now()
                + " WHERE client_id = ? AND idempotency_key = ?")
        .param(answer.status())
        .param(json.writeValueAsString(answer.headers()))
        .param(answer.body())
        .param(digest(scope))
        .param(KEPT_SECONDS)
        .param(key.clientId())
        .param(key.value())
        .update();
  }

  /** The values that a request stores when it claims its key. */
  private record Row(IdempotencyKey key, String identity, long created, String attempt) {}

  private static boolean insert(JdbcClient sql, Row row) {
    return sql.sql(
                """
                INSERT INTO idempotent_answers
                  (client_id, idempotency_key, request_digest, status, headers, body, scope_digest,
                   kept_until, created, attempt)
                VALUES (?, ?, ?, 0, '', '', '', 0, ?, ?)
                ON CONFLICT DO NOTHING\
                """)
            .param(row.key.clientId())
            .param(row.key.value())
            .param(row.identity)
            .param(row.created)
            .param(row.attempt)
            .update()
        == 1;
  }

  /**
   * Deletes an expired answer, and raises the floor. An answer gives way only to a request that was
   * signed later: the same signed request, sent again, must not be executed a second time.
   */
  private boolean deleteExpired(JdbcClient sql, Row row) {
    Optional<Long> created =
        sql.sql(
                "DELETE FROM idempotent_answers WHERE client_id = ? AND idempotency_key = ?"
                    + " AND created < ? AND kept_until < ? RETURNING created")
            .param(row.key.clientId())
            .param(row.key.value())
            .param(row.created)
            .param(Purge.now(sql, dialect, clock).getEpochSecond())
            .query(Long.class)
            .optional();
    created.ifPresent(deleted -> floor.raise(sql, 0, deleted));
    return created.isPresent();
  }

  /** Returns the answer under a key that an earlier request or attempt holds. */
  private Claim held(JdbcClient sql, Row row, Stored stored, CommitAttempts attempts) {
    Optional<StoredAnswer> own = attempts.foundClaim(stored.attempt);
    if (own.isEmpty() && !stored.requestDigest.equals(row.identity)) {
      throw new DeniedException(
          Reason.IDEMPOTENCY_MISMATCH,
          "this Idempotency-Key was sent with another method, URL or body; use a new key");
    }
    confirm(sql, row);
    return own.isPresent()
        ? new Claim.Committed(own.get())
        : new Claim.Done(scope -> answerUnder(scope, stored));
  }

  private static Optional<Stored> read(JdbcClient sql, IdempotencyKey key) {
    return sql.sql(
            """
            SELECT request_digest, attempt, status, headers, body, scope_digest
            FROM idempotent_answers WHERE client_id = ? AND idempotency_key = ?\
            """)
        .param(key.clientId())
        .param(key.value())
        .query(
            (row, n) ->
                new Stored(
                    row.getString("request_digest"),
                    row.getString("attempt"),
                    row.getInt("status"),
                    row.getString("headers"),
                    row.getString("body"),
                    row.getString("scope_digest")))
        .optional();
  }

  /**
   * Changes the row of a stored answer. Under synchronous replication, the answer is then given
   * only when the standby has it, even if the connection of the first request died before that.
   */
  private static void confirm(JdbcClient sql, Row row) {
    sql.sql("UPDATE idempotent_answers SET attempt = ? WHERE client_id = ? AND idempotency_key = ?")
        .param(row.attempt)
        .param(row.key.clientId())
        .param(row.key.value())
        .update();
  }

  private StoredAnswer replayed(Stored stored) {
    Map<String, String> headers = new HashMap<>(json.readValue(stored.headers, HEADERS));
    headers.put("Idempotency-Replayed", "true");
    return new StoredAnswer.Done(stored.status, headers, stored.body);
  }

  private record Stored(
      String requestDigest,
      String attempt,
      int status,
      String headers,
      String body,
      String scopeDigest) {}

  /** Returns the digest of a scope; empty for a write without a scope. */
  private String digest(String scope) {
    return scope.isEmpty() ? "" : Sha256.hex(crypto, scope.getBytes(UTF_8));
  }

  private String now() {
    return dialect.epochSeconds(clock);
  }

  /**
   * A key under which a client's request is executed once.
   *
   * @param clientId the client that sent the key
   * @param value 1 to 255 visible ASCII characters, compared byte for byte
   */
  private record IdempotencyKey(String clientId, String value) {
    private static final int MAX_LENGTH = 255;

    /**
     * Returns the key of a request that has the header field.
     *
     * @throws DeniedException {@link Reason#REQUEST_MALFORMED} if it is empty, too long, or has
     *     spaces or other characters
     */
    static IdempotencyKey of(SignedRequest request) {
      String value = request.idempotencyKey().orElseThrow();
      if (value.isEmpty()
          || value.length() > MAX_LENGTH
          || !value.chars().allMatch(c -> c > ' ' && c <= '~')) {
        throw new DeniedException(
            Reason.REQUEST_MALFORMED,
            "Idempotency-Key must be 1 to 255 visible ASCII characters without spaces, and must be"
                + " sent only once");
      }
      return new IdempotencyKey(request.client().clientId(), value);
    }
  }
}
