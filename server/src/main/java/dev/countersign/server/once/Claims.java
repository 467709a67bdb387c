package dev.countersign.server.once;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Claims on the identity of a request, so that it is executed once. The identity is the request as
 * it was signed ({@link ReplayClaims}), or its Idempotency-Key ({@link IdempotentAnswers}).
 */
sealed interface Claims permits ReplayClaims, IdempotentAnswers {
  /**
   * Claims a request, in the transaction of its write. If another open transaction has made the
   * same claim, the call waits for that transaction.
   *
   * @throws DeniedException if another request has made the claim and its answer may not be given
   *     to this one
   */
  Claim claim(JdbcClient sql, SignedRequest request, CommitAttempts attempts);

  /** The result of a claim. */
  sealed interface Claim {
    /**
     * The claim is new: the request has to be executed.
     *
     * @param answers stores the answer, which the transaction of the claim then commits
     */
    record Mine(AnswerStore answers) implements Claim {}

    /** An earlier attempt of the same request was committed with this answer. */
    record Committed(StoredAnswer answer) implements Claim {}

    /**
     * An earlier request with the same Idempotency-Key got this answer.
     *
     * @param answerUnder returns the answer for a request under a scope; throws {@link
     *     DeniedException} with {@link Reason#SCOPE_VIOLATION} if the answer was made under another
     *     scope
     */
    record Done(Function<String, StoredAnswer> answerUnder) implements Claim {}
  }

  /** Stores an answer. */
  @FunctionalInterface
  interface AnswerStore {
    /** Stores an answer that was made under this scope. */
    void store(String scope, StoredAnswer answer);
  }
}
