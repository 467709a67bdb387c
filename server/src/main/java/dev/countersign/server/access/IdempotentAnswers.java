package dev.countersign.server.access;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.protocol.Reason;
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
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stores each answer to a request with an Idempotency-Key for a day. If the request is repeated,
 * the stored answer is returned.
 */
final class IdempotentAnswers {
  private static final long KEPT_SECONDS = Duration.ofHours(24).toSeconds();
  private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {};

  private final CryptoProvider crypto;
  private final ReplayFloor floor;
  private final Dialect dialect;
  private final Clock clock;
  private final JsonMapper json = JsonMapper.shared();

  /**
   * Creates the store.
   *
   * @param floor is raised if an answer gives way to another request
   * @param clock the time of SQLite, which has no clock
   */
  IdempotentAnswers(CryptoProvider crypto, ReplayFloor floor, Dialect dialect, Clock clock) {
    this.crypto = crypto;
    this.floor = floor;
    this.dialect = dialect;
    this.clock = clock;
  }

  /**
   * Claims a key for a request. If another node holds the key in an open transaction, the call
   * waits for that transaction.
   *
   * @return the answer stored under the key; empty if the key is new and its answer has to be
   *     stored
   * @throws DeniedException {@link Reason#IDEMPOTENCY_MISMATCH} if the key was used with another
   *     method, URL or body
   */
  Optional<Kept> claim(
      JdbcClient sql, IdempotencyKey key, SignedRequest request, Attempts<StoredAnswer> attempts) {
    Row row = new Row(key, identity(request), request.created().getEpochSecond(), attempts.id());
    Optional<Stored> stored = Optional.empty();
    // Another node may purge an expired answer between two of these statements.
    while (stored.isEmpty()) {
      if (insert(sql, row)) {
        return Optional.empty();
      }
      stored = deleteExpired(sql, row) ? Optional.empty() : read(sql, key);
    }
    return Optional.of(kept(sql, row, stored.get(), attempts));
  }

  /**
   * Returns a stored answer for a request under this scope. A request gets the answer that it made
   * itself under any scope.
   *
   * @throws DeniedException {@link Reason#SCOPE_VIOLATION} if the answer was made under another
   *     scope
   */
  StoredAnswer answer(Kept kept, String scope) {
    if (!kept.isOwn && !kept.scopeDigest.equals(digest(scope))) {
      throw new DeniedException(
          Reason.SCOPE_VIOLATION,
          "the client's attributes have changed since this Idempotency-Key was first sent; use a"
              + " new key");
    }
    return kept.answer;
  }

  /** Makes a key free again, whose request could not be executed yet. */
  void release(JdbcClient sql, IdempotencyKey key) {
    sql.sql("DELETE FROM idempotent_answers WHERE client_id = ? AND idempotency_key = ?")
        .param(key.clientId())
        .param(key.value())
        .update();
  }

  /** Stores the answer to the first request with a key and returns it. */
  StoredAnswer.Done keep(
      JdbcClient sql, IdempotencyKey key, String scope, StoredAnswer.Done answer) {
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
    return answer;
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
   * Deletes an answer of yesterday, and raises the floor. It gives way only to a request that was
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

  private Kept kept(JdbcClient sql, Row row, Stored stored, Attempts<StoredAnswer> attempts) {
    Optional<StoredAnswer> own = attempts.foundClaim(stored.attempt);
    if (own.isEmpty() && !stored.requestDigest.equals(row.identity)) {
      throw new DeniedException(
          Reason.IDEMPOTENCY_MISMATCH,
          "this Idempotency-Key was sent with another method, URL or body; use a new key");
    }
    confirm(sql, row);
    return new Kept(own.orElseGet(() -> replayed(stored)), own.isPresent(), stored.scopeDigest);
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

  /**
   * A stored answer.
   *
   * @param answer the answer
   * @param isOwn whether an earlier attempt of the same request made it
   * @param scopeDigest the digest of the scope that it was made under
   */
  record Kept(StoredAnswer answer, boolean isOwn, String scopeDigest) {
    static Kept own(StoredAnswer answer) {
      return new Kept(answer, true, "");
    }
  }

  /** Returns the digest of a scope; empty for a write without a scope. */
  private String digest(String scope) {
    return scope.isEmpty() ? "" : Sha256.hex(crypto, scope.getBytes(UTF_8));
  }

  /** Returns a digest that identifies a request by its method, URL and body. */
  private String identity(SignedRequest request) {
    String head = request.method() + ' ' + request.targetUri() + '\n';
    return Sha256.hex(crypto, head.getBytes(US_ASCII), request.bodyBytes());
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
  record IdempotencyKey(String clientId, String value) {
    private static final int LONGEST = 255;

    /**
     * Checks the header's value.
     *
     * @throws DeniedException {@link Reason#REQUEST_MALFORMED} if it is empty, too long, or has
     *     spaces or other characters
     */
    static IdempotencyKey of(String clientId, String value) {
      if (value.isEmpty()
          || value.length() > LONGEST
          || !value.chars().allMatch(c -> c > ' ' && c <= '~')) {
        throw new DeniedException(
            Reason.REQUEST_MALFORMED,
            "Idempotency-Key must be 1 to 255 visible ASCII characters without spaces, and must be"
                + " sent only once");
      }
      return new IdempotencyKey(clientId, value);
    }
  }
}
