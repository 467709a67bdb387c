package dev.countersign.server.once;

import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Claims on what identifies a request that is executed once: the request as it was signed ({@link
 * ReplayClaims}), or its Idempotency-Key ({@link IdempotentAnswers}). Both methods run in the
 * transaction of the write.
 */
sealed interface Claims permits ReplayClaims, IdempotentAnswers {
  /**
   * Claims a request. If another node has made the same claim in an open transaction, the call
   * waits for that transaction.
   *
   * @throws DeniedException if another request has made the claim and its answer may not be given
   *     to this one
   */
  Claim claim(JdbcClient sql, SignedRequest request, Attempts attempts);

  /**
   * Stores the answer to a request whose claim is {@link Claim.Mine}.
   *
   * @param scope the scope that the answer was made under
   */
  void store(
      JdbcClient sql, SignedRequest request, String scope, StoredAnswer answer, Attempts attempts);

  /** The result of a claim. */
  sealed interface Claim {
    /** The claim is new: the request has to be executed. */
    record Mine() implements Claim {}

    /** An earlier attempt of the same request was committed with this answer. */
    record Committed(StoredAnswer answer) implements Claim {}

    /**
     * An earlier request with the same Idempotency-Key got this answer.
     *
     * @param scopeDigest the digest of the scope that the answer was made under
     */
    record Done(StoredAnswer answer, String scopeDigest) implements Claim {}
  }
}
