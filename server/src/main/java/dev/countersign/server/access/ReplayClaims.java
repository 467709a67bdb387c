package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stores each claimed request and nonce until its signature can no longer be accepted. */
final class ReplayClaims {
  /**
   * The time for which a request may still be claimed after its signature has expired, because
   * reading the body takes time.
   */
  private static final Duration LATE = Duration.ofMinutes(1);

  /** The maximum difference between the clocks of nodes. Claims are kept longer by this amount. */
  private static final Duration APART = Duration.ofMinutes(1);

  private final CryptoProvider crypto;
  private final Clock clock;

  ReplayClaims(CryptoProvider crypto, Clock clock) {
    this.crypto = crypto;
    this.clock = clock;
  }

  /**
   * Claims a request by its signature base, and by its nonce if it has one.
   *
   * @throws DeniedException {@link Reason#REPLAYED} if it was claimed before, {@link
   *     Reason#CREATED_TOO_OLD} if its signature has become too old in the meantime
   */
  void claimRequest(JdbcClient sql, SignedRequest request) {
    if (!claim(sql, request, "request:" + request.signature().base().text())) {
      throw new DeniedException(
          Reason.REPLAYED,
          "this request was accepted before; to send an identical one on purpose,"
              + " sign it in another second; to retry safely, send an Idempotency-Key");
    }
    claimNonce(sql, request);
  }

  /**
   * Claims a request's nonce, if it has one.
   *
   * @throws DeniedException as {@link #claimRequest}
   */
  void claimNonce(JdbcClient sql, SignedRequest request) {
    Optional<String> nonce = request.signature().parameters().nonce();
    if (nonce.isPresent() && !claim(sql, request, "nonce:" + nonce.get())) {
      throw new DeniedException(
          Reason.REPLAYED, "this nonce was used before; use a new one for each request");
    }
  }

  private boolean claim(JdbcClient sql, SignedRequest request, String identity) {
    Instant last = request.takenUntil().plus(LATE);
    // After this time, an earlier claim of the same request may have been deleted.
    if (clock.instant().isAfter(last)) {
      throw new DeniedException(
          Reason.CREATED_TOO_OLD,
          "the signature became too old while the service read the request");
    }
    byte[] digest = crypto.digest("SHA-256").digest(identity.getBytes(StandardCharsets.US_ASCII));
    return sql.sql(
                """
                INSERT INTO replay_claims (client_id, digest, kept_until) VALUES (?, ?, ?)
                ON CONFLICT DO NOTHING""")
            .param(request.client().clientId())
            .param(HexFormat.of().formatHex(digest))
            .param(last.plus(APART).getEpochSecond())
            .update()
        == 1;
  }

  int purge(JdbcClient sql, Instant now) {
    return sql.sql("DELETE FROM replay_claims WHERE kept_until < ?")
        .param(now.getEpochSecond())
        .update();
  }
}
