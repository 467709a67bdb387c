package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.store.Sha256;
import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores each claimed request and nonce until its signature can no longer be accepted. */
final class ReplayClaims {
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
   * @return the result of the earlier attempt that has made these claims; empty if they are new
   * @throws DeniedException {@link Reason#REPLAYED} if another request has made them, {@link
   *     Reason#CREATED_TOO_OLD} if the signature has become too old in the meantime
   */
  <T> Optional<T> claimRequest(JdbcClient sql, SignedRequest request, Attempts<T> attempts) {
    Optional<T> earlier = claimBase(sql, request, attempts);
    return earlier.isPresent() ? earlier : claimNonce(sql, request, attempts);
  }

  /**
   * Claims a request by its signature base.
   *
   * @return and throws as {@link #claimRequest}
   */
  <T> Optional<T> claimBase(JdbcClient sql, SignedRequest request, Attempts<T> attempts) {
    return claim(sql, ofBase(request), attempts);
  }

  /**
   * Refuses a request whose signature base was claimed, without claiming it.
   *
   * @return the result of the earlier attempt that has made the claim; empty if there is none
   * @throws DeniedException {@link Reason#REPLAYED} if another request has made it
   */
  <T> Optional<T> requireUnclaimed(JdbcClient sql, SignedRequest request, Attempts<T> attempts) {
    Claim claim = ofBase(request);
    String clientId = request.client().clientId();
    String digest = digest(claim.identity);
    boolean isClaimed =
        sql.sql("SELECT 1 FROM replay_claims WHERE client_id = ? AND digest = ?")
            .param(clientId)
            .param(digest)
            .query(Integer.class)
            .optional()
            .isPresent();
    return isClaimed ? Optional.of(earlier(sql, claim, digest, attempts)) : Optional.empty();
  }

  private static Claim ofBase(SignedRequest request) {
    return new Claim(
        request,
        "request:" + request.signature().base().text(),
        "this request was accepted before; to send an identical one on purpose, sign it in another"
            + " second; to retry safely, send an Idempotency-Key");
  }

  /**
   * Claims a request's nonce, if it has one.
   *
   * @return and throws as {@link #claimRequest}
   */
  <T> Optional<T> claimNonce(JdbcClient sql, SignedRequest request, Attempts<T> attempts) {
    return request
        .signature()
        .parameters()
        .nonce()
        .flatMap(
            nonce ->
                claim(
                    sql,
                    new Claim(
                        request,
                        "nonce:" + nonce,
                        "this nonce was used before; use a new one for each request"),
                    attempts));
  }

  /**
   * A claim.
   *
   * @param identity the text that is claimed, once for each client
   * @param taken the detail of the refusal if it was claimed before
   */
  private record Claim(SignedRequest request, String identity, String taken) {}

  private <T> Optional<T> claim(JdbcClient sql, Claim claim, Attempts<T> attempts) {
    SignedRequest request = claim.request;
    if (clock.instant().isAfter(request.acceptedUntil().plus(BODY_GRACE))) {
      throw new DeniedException(
          Reason.CREATED_TOO_OLD,
          "the signature became too old while the service read the request");
    }
    String clientId = request.client().clientId();
    String digest = digest(claim.identity);
    boolean isNew =
        sql.sql(
                    """
                    INSERT INTO replay_claims (client_id, digest, kept_until, created, attempt)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT DO NOTHING\
                    """)
                .param(clientId)
                .param(digest)
                .param(keptUntil(request).getEpochSecond())
                .param(request.created().getEpochSecond())
                .param(attempts.id())
                .update()
            == 1;
    return isNew ? Optional.empty() : Optional.of(earlier(sql, claim, digest, attempts));
  }

  private static <T> T earlier(JdbcClient sql, Claim claim, String digest, Attempts<T> attempts) {
    Optional<T> earlier =
        attempts.isUnresolved()
            ? resolve(sql, claim.request.client().clientId(), digest, attempts)
            : Optional.empty();
    return earlier.orElseThrow(() -> new DeniedException(Reason.REPLAYED, claim.taken));
  }

  /**
   * Returns the result of the earlier attempt that holds a claim, after the running attempt has
   * taken it over.
   */
  private static <T> Optional<T> resolve(
      JdbcClient sql, String clientId, String digest, Attempts<T> attempts) {
    Optional<T> earlier =
        attempts.foundClaim(
            sql.sql(
                    """
                    SELECT attempt FROM replay_claims WHERE client_id = ? AND digest = ?\
                    """)
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

  private String digest(String identity) {
    return Sha256.hex(crypto, identity.getBytes(StandardCharsets.US_ASCII));
  }
}
