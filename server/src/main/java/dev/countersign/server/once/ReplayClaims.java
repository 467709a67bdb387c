package dev.countersign.server.once;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.store.Sha256;
import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Claims signed requests by their signature bases and nonces. Stores each claim until the signature
 * can no longer be accepted.
 */
final class ReplayClaims implements Claims {
  /**
   * The time for which a request may still be claimed after its signature has expired, because
   * reading the body takes time.
   */
  private static final Duration BODY_GRACE = Duration.ofMinutes(1);

  /**
   * The further time for which claims are kept, so that a node whose clock is behind still finds
   * them and refuses a repeated request. If its clock is behind the database by more than this
   * time, the {@link ReplayFloor} refuses the request.
   */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

  // The answer to a request without an Idempotency-Key is never repeated, so it is not stored.
  private static final Claim NEW = new Claim.Mine((scope, answer) -> {});

  private final CryptoProvider crypto;
  private final Clock clock;

  ReplayClaims(CryptoProvider crypto, Clock clock) {
    this.crypto = crypto;
    this.clock = clock;
  }

  /** Returns the time until which the claims of a request are kept. */
  static Instant keptUntil(SignedRequest request) {
    return request.acceptedUntil().plus(BODY_GRACE).plus(CLOCK_TOLERANCE);
  }

  /**
   * Claims a request by its signature base, and by its nonce if it has one.
   *
   * @return {@link Claim.Mine} or {@link Claim.Committed}
   * @throws DeniedException {@link Reason#REPLAYED} if another request has made one of the claims,
   *     {@link Reason#CREATED_TOO_OLD} if the signature has become too old in the meantime
   */
  @Override
  public Claim claim(JdbcClient sql, SignedRequest request, CommitAttempts attempts) {
    Claim baseClaim = claimBase(sql, request, attempts);
    return baseClaim instanceof Claim.Committed ? baseClaim : claimNonce(sql, request, attempts);
  }

  /** Claims a request by its signature base only. Returns and throws the same as {@link #claim}. */
  Claim claimBase(JdbcClient sql, SignedRequest request, CommitAttempts attempts) {
    return claim(sql, requestSubject(request), attempts);
  }

  /**
   * Looks for a claim of a request's signature base, without making one.
   *
   * @return the answer of an earlier attempt of this request, if that attempt has made the claim;
   *     empty if there is no claim
   * @throws DeniedException {@link Reason#REPLAYED} if another request has made the claim
   */
  Optional<Claim.Committed> findCommittedOrRefuse(
      JdbcClient sql, SignedRequest request, CommitAttempts attempts) {
    ClaimSubject subject = requestSubject(request);
    String digest = digest(subject);
    boolean isClaimed =
        sql.sql("SELECT 1 FROM replay_claims WHERE client_id = ? AND digest = ?")
            .param(request.client().clientId())
            .param(digest)
            .query(Integer.class)
            .optional()
            .isPresent();
    return isClaimed
        ? Optional.of(takeOverOrRefuse(sql, subject, digest, attempts))
        : Optional.empty();
  }

  private static ClaimSubject requestSubject(SignedRequest request) {
    return new ClaimSubject(
        request,
        "request:" + request.signature().base().text(),
        "this request was accepted before; to send an identical one on purpose, sign it in another"
            + " second; to retry safely, send an Idempotency-Key");
  }

  /**
   * Claims a request's nonce. Returns and throws the same as {@link #claim}. For a request without
   * a nonce, returns {@link Claim.Mine} without a claim.
   */
  Claim claimNonce(JdbcClient sql, SignedRequest request, CommitAttempts attempts) {
    return request
        .signature()
        .parameters()
        .nonce()
        .map(nonce -> claim(sql, nonceSubject(request, nonce), attempts))
        .orElse(NEW);
  }

  private static ClaimSubject nonceSubject(SignedRequest request, String nonce) {
    return new ClaimSubject(
        request, "nonce:" + nonce, "this nonce was used before; use a new one for each request");
  }

  /**
   * The subject of a claim: a signature base or a nonce, which a client can claim only once.
   *
   * @param request the request that has it
   * @param text identifies it among the subjects of the client
   * @param replayedDetail the detail of the refusal if it was claimed before
   */
  private record ClaimSubject(SignedRequest request, String text, String replayedDetail) {}

  private Claim claim(JdbcClient sql, ClaimSubject subject, CommitAttempts attempts) {
    SignedRequest request = subject.request;
    if (clock.instant().isAfter(request.acceptedUntil().plus(BODY_GRACE))) {
      throw new DeniedException(
          Reason.CREATED_TOO_OLD,
          "the signature became too old while the service read the request");
    }
    String digest = digest(subject);
    boolean isNew =
        sql.sql(
                    """
                    INSERT INTO replay_claims (client_id, digest, kept_until, created, attempt)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO NOTHING\
                    """)
                .param(request.client().clientId())
                .param(digest)
                .param(keptUntil(request).getEpochSecond())
                .param(request.created().getEpochSecond())
                .param(attempts.id())
                .update()
            == 1;
    return isNew ? NEW : takeOverOrRefuse(sql, subject, digest, attempts);
  }

  private static Claim.Committed takeOverOrRefuse(
      JdbcClient sql, ClaimSubject subject, String digest, CommitAttempts attempts) {
    Optional<StoredAnswer> earlier =
        attempts.isUnresolved()
            ? takeOver(sql, subject.request.client().clientId(), digest, attempts)
            : Optional.empty();
    return earlier
        .map(Claim.Committed::new)
        .orElseThrow(() -> new DeniedException(Reason.REPLAYED, subject.replayedDetail));
  }

  /**
   * Takes over a claim that an earlier attempt of this request has made, and returns the answer of
   * that attempt. Returns empty if another request has made the claim.
   */
  private static Optional<StoredAnswer> takeOver(
      JdbcClient sql, String clientId, String digest, CommitAttempts attempts) {
    Optional<StoredAnswer> earlier =
        attempts.foundClaim(
            sql.sql("SELECT attempt FROM replay_claims WHERE client_id = ? AND digest = ?")
                .param(clientId)
                .param(digest)
                .query(String.class)
                .single());
    if (earlier.isPresent()) {
      sql.sql("UPDATE replay_claims SET attempt = ? WHERE client_id = ? AND digest = ?")
          .param(attempts.id())
          .param(clientId)
          .param(digest)
          .update();
    }
    return earlier;
  }

  private String digest(ClaimSubject subject) {
    return Sha256.hex(crypto, subject.text.getBytes(StandardCharsets.US_ASCII));
  }
}
