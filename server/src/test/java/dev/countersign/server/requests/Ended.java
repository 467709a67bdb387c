package dev.countersign.server.requests;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.access.outcome.EndedRequest;
import dev.countersign.server.access.outcome.EndedRequest.Evidence;
import dev.countersign.server.access.outcome.Standing;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Requests that have ended, made up. */
public final class Ended {
  public static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private Ended() {}

  public static EndedRequest accepted(Instant time, String clientId) {
    return request(time, Standing.VERIFIED, clientId, "/ledger/v1/wallets?page=1", null);
  }

  public static EndedRequest refused(Instant time, Standing standing, Reason reason) {
    String clientId = standing == Standing.ANONYMOUS ? null : "cl-a";
    return request(time, standing, clientId, "/ledger/v1/wallets", reason);
  }

  public static EndedRequest request(
      Instant time,
      Standing standing,
      @Nullable String clientId,
      String target,
      @Nullable Reason reason) {
    return new EndedRequest(
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
        standing == Standing.VERIFIED ? "SHA256:" + clientId : null,
        standing,
        "192.0.2.1",
        "Test/1",
        Evidence.NONE);
  }

  public static EndedRequest withDuration(EndedRequest request, Duration duration) {
    return new EndedRequest(
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
