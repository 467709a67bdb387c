package dev.countersign.server.access;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
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
  private static final Duration KEPT = Duration.ofHours(24);
  private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {};

  private final CryptoProvider crypto;
  private final Clock clock;
  private final JsonMapper json = JsonMapper.shared();

  IdempotentAnswers(CryptoProvider crypto, Clock clock) {
    this.crypto = crypto;
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
  Optional<Kept> claim(JdbcClient sql, IdempotencyKey key, SignedRequest request) {
    String identity = identity(request);
    return isNew(sql, key, identity) ? Optional.empty() : Optional.of(stored(sql, key, identity));
  }

  /**
   * Returns a stored answer for a request under this scope.
   *
   * @throws DeniedException {@link Reason#SCOPE_VIOLATION} if the answer was made under another
   *     scope
   */
  StoredAnswer answer(Kept kept, String scope) {
    if (!kept.scopeDigest.equals(digest(scope))) {
      throw new DeniedException(
          Reason.SCOPE_VIOLATION,
          "the client's attributes have changed since this Idempotency-Key was first sent; use a new"
              + " key");
    }
    return kept.answer;
  }

  /** Stores the answer to the first request with a key and returns it. */
  StoredAnswer keep(JdbcClient sql, IdempotencyKey key, String scope, StoredAnswer answer) {
    sql.sql(
            """
            UPDATE idempotent_answers SET status = ?, headers = ?, body = ?, scope_digest = ?
            WHERE client_id = ? AND idempotency_key = ?""")
        .param(answer.status())
        .param(json.writeValueAsString(answer.headers()))
        .param(answer.body())
        .param(digest(scope))
        .param(key.clientId())
        .param(key.value())
        .update();
    return answer;
  }

  private boolean isNew(JdbcClient sql, IdempotencyKey key, String identity) {
    Instant now = clock.instant();
    sql.sql(
            """
            DELETE FROM idempotent_answers
            WHERE client_id = ? AND idempotency_key = ? AND kept_until < ?""")
        .param(key.clientId())
        .param(key.value())
        .param(now.getEpochSecond())
        .update();
    return sql.sql(
                """
                INSERT INTO idempotent_answers
                  (client_id, idempotency_key, request_digest, status, headers, body, kept_until)
                VALUES (?, ?, ?, 0, '', '', ?)
                ON CONFLICT DO NOTHING""")
            .param(key.clientId())
            .param(key.value())
            .param(identity)
            .param(now.plus(KEPT).getEpochSecond())
            .update()
        == 1;
  }

  private Kept stored(JdbcClient sql, IdempotencyKey key, String identity) {
    Stored stored =
        sql.sql(
                """
                SELECT request_digest, status, headers, body, scope_digest FROM idempotent_answers
                WHERE client_id = ? AND idempotency_key = ?""")
            .param(key.clientId())
            .param(key.value())
            .query(
                (row, n) ->
                    new Stored(
                        row.getString("request_digest"),
                        row.getInt("status"),
                        row.getString("headers"),
                        row.getString("body"),
                        row.getString("scope_digest")))
            .single();
    if (!stored.requestDigest.equals(identity)) {
      throw new DeniedException(
          Reason.IDEMPOTENCY_MISMATCH,
          "this Idempotency-Key was sent with another method, URL or body; use a new key");
    }
    Map<String, String> headers = new HashMap<>(json.readValue(stored.headers, HEADERS));
    headers.put("Idempotency-Replayed", "true");
    return new Kept(new StoredAnswer(stored.status, headers, stored.body), stored.scopeDigest);
  }

  private record Stored(
      String requestDigest, int status, String headers, String body, String scopeDigest) {}

  /**
   * A stored answer.
   *
   * @param answer the answer
   * @param scopeDigest the digest of the scope that it was made under
   */
  record Kept(StoredAnswer answer, String scopeDigest) {}

  /** Returns the digest of a scope; empty for a write without a scope. */
  private String digest(String scope) {
    return scope.isEmpty()
        ? ""
        : HexFormat.of().formatHex(crypto.digest("SHA-256").digest(scope.getBytes(UTF_8)));
  }

  /** Returns a digest that identifies a request by its method, URL and body. */
  private String identity(SignedRequest request) {
    var digest = crypto.digest("SHA-256");
    digest.update((request.method() + ' ' + request.targetUri() + '\n').getBytes(US_ASCII));
    return HexFormat.of().formatHex(digest.digest(request.bodyBytes()));
  }

  int purge(JdbcClient sql, Instant now) {
    return sql.sql("DELETE FROM idempotent_answers WHERE kept_until < ?")
        .param(now.getEpochSecond())
        .update();
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
