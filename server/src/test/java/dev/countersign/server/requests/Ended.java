package dev.countersign.server.requests;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.CompletedRequest.Evidence;
import dev.countersign.server.access.outcome.TrustLevel;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Invented requests that have ended. */
public final class Ended {
  public static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private Ended() {}

  public static CompletedRequest accepted(Instant time, String clientId) {
    return request(time, TrustLevel.VERIFIED, clientId, "/ledger/v1/wallets?page=1", null);
  }

  public static CompletedRequest refused(Instant time, TrustLevel standing, Reason reason) {
    String clientId = standing == TrustLevel.ANONYMOUS ? null : "cl-a";
    return request(time, standing, clientId, "/ledger/v1/wallets", reason);
  }

  public static CompletedRequest request(
      Instant time,
      TrustLevel standing,
      @Nullable String clientId,
      String target,
      @Nullable Reason reason) {
    return new CompletedRequest(
        "0123456789abcdef",
        time,
        Duration.ofMillis(2),
        "GET",
        target,
        reason == null ? 200 : reason.status(),
        reason,
        reason == null ? null : "what was said",
        new CheckProgress(reason == null ? Check.REPLAY : null, null),
        clientId,
        standing == TrustLevel.VERIFIED ? "SHA256:" + clientId : null,
        standing,
        "192.0.2.1",
        "Test/1",
        Evidence.NONE);
  }

  public static CompletedRequest withDuration(CompletedRequest request, Duration duration) {
    return new CompletedRequest(
        request.requestId(),
        request.time(),
        duration,
        request.method(),
        request.target(),
        request.status(),
        request.reason(),
        request.detail(),
        request.checks(),
        request.clientId(),
        request.keyFingerprint(),
        request.standing(),
        request.address(),
        request.userAgent(),
        request.evidence());
  }
}
