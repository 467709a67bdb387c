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

/** Invented completed requests. */
public final class CompletedRequests {
  public static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private CompletedRequests() {}

  public static CompletedRequest accepted(Instant time, String clientId) {
    return request(time, TrustLevel.VERIFIED, clientId, "/ledger/v1/wallets?page=1", null);
  }

  public static CompletedRequest refused(Instant time, TrustLevel trust, Reason reason) {
    String clientId = trust == TrustLevel.ANONYMOUS ? null : "cl-a";
    return request(time, trust, clientId, "/ledger/v1/wallets", reason);
  }

  public static CompletedRequest request(
      Instant time,
      TrustLevel trust,
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
        trust == TrustLevel.VERIFIED ? "SHA256:" + clientId : null,
        trust,
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
        request.trust(),
        request.address(),
        request.userAgent(),
        request.evidence());
  }
}
