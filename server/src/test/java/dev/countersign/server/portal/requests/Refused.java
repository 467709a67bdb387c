package dev.countersign.server.portal.requests;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.access.CheckProgress;
import dev.countersign.server.access.EndedRequest;
import dev.countersign.server.access.RequestObserver;
import dev.countersign.server.access.Standing;
import dev.countersign.server.requests.RequestRecords;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Requests in a service's records: real ones over a socket, and such as no socket lets in. */
final class Refused {
  static final String WALLETS = "/ledger/v1/wallets";
  static final String HOSTILE = "<script>alert(1)</script>\"'&`\u202E\u0007\r\ndata: x";

  private Refused() {}

  /** A call whose query was changed after it was signed; gives the id of its record. */
  static long tampered(TestService service, TestClient client) {
    long before = service.part(RequestRecords.class).latest();
    client.get(WALLETS + "?page=0").withTarget(WALLETS + "?page=1").send();
    return awaitAfter(service, before);
  }

  /** A call that nobody signed. */
  static long unsigned(TestService service, TestClient client, String target) {
    long before = service.part(RequestRecords.class).latest();
    client.get(target).without("Signature").send();
    return awaitAfter(service, before);
  }

  /** A call that is served. */
  static long accepted(TestService service, TestClient client) {
    long before = service.part(RequestRecords.class).latest();
    client.get(WALLETS).send();
    return awaitAfter(service, before);
  }

  private static long awaitAfter(TestService service, long before) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> service.part(RequestRecords.class).latest(), latest -> latest > before);
  }

  /** So many requests of one path, as the API tells of them. */
  static void record(TestService service, int count, String path) {
    long wanted = service.part(RequestRecords.class).latest() + count;
    for (int i = 0; i < count; i++) {
      service.part(RequestObserver.class).ended(ended(path, null, null));
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> service.part(RequestRecords.class).latest() >= wanted);
  }

  /** One whose every text is hostile; gives the id of its record. */
  static long hostile(TestService service, @Nullable String base) {
    long before = service.part(RequestRecords.class).latest();
    service
        .part(RequestObserver.class)
        .ended(
            ended(
                "/" + HOSTILE,
                base == null ? Reason.COMPONENTS_WRONG : Reason.SIGNATURE_MISMATCH,
                base));
    return awaitAfter(service, before);
  }

  private static EndedRequest ended(String target, @Nullable Reason reason, @Nullable String base) {
    boolean hostile = reason != null;
    return new EndedRequest(
        hostile ? HOSTILE : "0123456789abcdef",
        Instant.now(),
        Duration.ofMillis(2),
        hostile ? HOSTILE.substring(0, 32) : "GET",
        target,
        hostile ? 401 : 200,
        reason,
        hostile ? HOSTILE : null,
        new CheckProgress(hostile ? Check.FIELDS : Check.REPLAY, hostile ? Check.PROFILE : null),
        hostile ? HOSTILE : null,
        hostile ? HOSTILE : null,
        Standing.CLAIMED,
        "192.0.2.1",
        hostile ? HOSTILE : null,
        new EndedRequest.Evidence(HOSTILE, HOSTILE, base));
  }
}
