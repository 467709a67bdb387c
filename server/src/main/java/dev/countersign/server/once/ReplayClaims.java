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
 * Claims requests as they were signed. Stores each claimed request and nonce until its signature
 * can no longer be accepted.
 */
final class ReplayClaims implements Claims {
  /**
   * The time for which a request may still be claimed after its signature has expired, because
   * reading the body takes time.
   */
  private static final Duration BODY_GRACE = Duration.ofMinutes(1);

  /**
   * The time for which claims are kept longer. A node whose clock is behind the database by up to
   * this amount then refuses a request as replayed. Beyond it, the {@link ReplayFloor} refuses it.
   */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

  // Without a key, a repeated request gets no answer, so none is stored.
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
  public Claim claim(JdbcClient sql, SignedRequest request, Attempts attempts) {
    Claim base = claimBase(sql, request, attempts);
    return base instanceof Claim.Committed ? base : claimNonce(sql, request, attempts);
  }

  /**
   * Claims a request by its signature base.
   *
   * @return and throws as {@link #claim}
   */
  Claim claimBase(JdbcClient sql, SignedRequest request, Attempts attempts) {
    return claim(sql, baseOf(request), attempts);
  }

  /**
   * Refuses a request whose signature base was claimed, without claiming it.
   *
   * @return the answer of the earlier attempt that has made the claim; empty if nobody has
   * @throws DeniedException {@link Reason#REPLAYED} if another request has made it
   */
  Optional<Claim.Committed> requireUnclaimed(
      JdbcClient sql, SignedRequest request, Attempts attempts) {
    Identity base = baseOf(request);
    String digest = digest(base);
    boolean isClaimed =
        sql.sql("SELECT 1 FROM replay_claims WHERE client_id = ? AND digest = ?")
            .param(request.client().clientId())
            .param(digest)
            .query(Integer.class)
            .optional()
            .isPresent();
    return isClaimed ? Optional.of(earlier(sql, base, digest, attempts)) : Optional.empty();
  }

  private static Identity baseOf(SignedRequest request) {
    return new Identity(
        request,
        "request:" + request.signature().base().text(),
        "this request was accepted before; to send an identical one on purpose, sign it in another"
            + " second; to retry safely, send an Idempotency-Key");
  }

  /**
   * Claims a request's nonce. A request without one has nothing to claim, and gets {@link
   * Claim.Mine}.
   *
   * @return and throws as {@link #claim}
   */
  Claim claimNonce(JdbcClient sql, SignedRequest request, Attempts attempts) {
    return request
        .signature()
        .parameters()
        .nonce()
        .map(nonce -> claim(sql, nonceOf(request, nonce), attempts))
        .orElse(NEW);
  }

  private static Identity nonceOf(SignedRequest request, String nonce) {
    return new Identity(
        request, "nonce:" + nonce, "this nonce was used before; use a new one for each request");
  }

  /**
   * A request or a nonce, which is claimed once for each client.
   *
   * @param text says which request or nonce it is
   * @param replayed the detail of the refusal if it was claimed before
   */
  private record Identity(SignedRequest request, String text, String replayed) {}

  private Claim claim(JdbcClient sql, Identity identity, Attempts attempts) {
    SignedRequest request = identity.request;
    if (clock.instant().isAfter(request.acceptedUntil().plus(BODY_GRACE))) {
      throw new DeniedException(
          Reason.CREATED_TOO_OLD,
          "the signature became too old while the service read the request");
    }
    String digest = digest(identity);
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
    return isNew ? NEW : earlier(sql, identity, digest, attempts);
  }

  private static Claim.Committed earlier(
      JdbcClient sql, Identity identity, String digest, Attempts attempts) {
    Optional<StoredAnswer> earlier =
        attempts.isUnresolved()
            ? resolve(sql, identity.request.client().clientId(), digest, attempts)
            : Optional.empty();
    return earlier
        .map(Claim.Committed::new)
        .orElseThrow(() -> new DeniedException(Reason.REPLAYED, identity.replayed));
  }

  /**
   * Returns the answer of the earlier attempt that holds a claim, after the running attempt has
   * taken it over.
   */
  private static Optional<StoredAnswer> resolve(
      JdbcClient sql, String clientId, String digest, Attempts attempts) {
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

  private String digest(Identity identity) {
    return Sha256.hex(crypto, identity.text.getBytes(StandardCharsets.US_ASCII));
  }
}
