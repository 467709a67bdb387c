package dev.countersign.server.portal.requests;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.RawResponse;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.RequestObserver;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.requests.CompletedRequests;
import dev.countersign.server.requests.RequestFilter;
import dev.countersign.server.requests.RequestRecord;
import dev.countersign.server.requests.RequestRecordStore;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Requests in a service's records: real ones over a socket, and some that no socket would accept.
 */
public final class Refused {
  static final String WALLETS = "/ledger/v1/wallets";
  static final String HOSTILE = "<script>alert(1)</script>\"'&`\u202E\u0007\r\ndata: x";

  private Refused() {}

  /** A call whose query was changed after signing; returns the id of its record. */
  public static long tampered(TestService service, TestClient client) {
    return recorded(
        service, () -> client.get(WALLETS + "?page=0").withTarget(WALLETS + "?page=1").send());
  }

  /** A call without a signature. */
  static long unsigned(TestService service, TestClient client, String target) {
    return recorded(service, () -> client.get(target).without("Signature").send());
  }

  /** A call that is accepted. */
  public static long accepted(TestService service, TestClient client) {
    return recorded(service, () -> client.get(WALLETS).send());
  }

  /**
   * Repeats a call until it is recorded, and returns the id of its record. A burst of earlier
   * requests can use up the records of a second.
   */
  private static long recorded(TestService service, Supplier<RawResponse> call) {
    return repeatedUntilRecorded(
        service,
        () -> {
          String requestId = call.get().header("x-request-id");
          return () -> record(service, requestId);
        });
  }

  /** Repeats a request, which returns how to find its record. */
  private static long repeatedUntilRecorded(
      TestService service, Supplier<Supplier<OptionalLong>> request) {
    while (true) {
      long dropped = dropped(service);
      Supplier<OptionalLong> search = request.get();
      OptionalLong id =
          Awaitility.await()
              .until(search::get, found -> found.isPresent() || dropped(service) > dropped);
      if (id.isPresent()) {
        return id.getAsLong();
      }
    }
  }

  private static OptionalLong record(TestService service, String requestId) {
    return newest(service)
        .filter(one -> one.requestId().equals(requestId))
        .mapToLong(RequestRecord::id)
        .findFirst();
  }

  private static long dropped(TestService service) {
    return service.part(RequestRecordStore.class).counters().dropped().values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  private static Stream<RequestRecord> newest(TestService service) {
    return newest(service, RequestFilter.ALL);
  }

  private static Stream<RequestRecord> newest(TestService service, RequestFilter filter) {
    return service.part(RequestRecordStore.class).search(filter, null, 200).requests().stream();
  }

  /**
   * Reports a request of this path that was completed at this time, until it is recorded. Returns
   * the id of its record.
   */
  public static long completed(TestService service, TestClient client, Instant time, String path) {
    RequestFilter filter = RequestFilter.ALL.withPathPrefix(path);
    return repeatedUntilRecorded(
        service,
        () -> {
          service
              .part(RequestObserver.class)
              .completed(
                  CompletedRequests.request(
                      time, TrustLevel.CLAIMED, client.clientId(), path, Reason.NOT_FOUND));
          return () -> newest(service, filter).mapToLong(RequestRecord::id).findFirst();
        });
  }

  /** Records this many requests of one path, as the API reports them. */
  static void record(TestService service, int count, String path) {
    for (int i = 0; i < count; i++) {
      service.part(RequestObserver.class).completed(completedRequest(path, null, null));
    }
    Awaitility.await()
        .until(() -> newest(service).filter(one -> one.path().equals(path)).count() >= count);
  }

  /** A request in which every text is hostile; returns the id of its record. */
  static long hostile(TestService service, @Nullable String base) {
    long before = service.part(RequestRecordStore.class).latest();
    service
        .part(RequestObserver.class)
        .completed(
            completedRequest(
                "/" + HOSTILE,
                base == null ? Reason.COMPONENTS_WRONG : Reason.SIGNATURE_MISMATCH,
                base));
    return Awaitility.await()
        .until(
            () ->
                newest(service)
                    .filter(one -> one.path().startsWith("/<script>"))
                    .mapToLong(RequestRecord::id)
                    .findFirst()
                    .orElse(before),
            id -> id > before);
  }

  private static CompletedRequest completedRequest(
      String target, @Nullable Reason reason, @Nullable String base) {
    boolean hostile = reason != null;
    return new CompletedRequest(
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
        TrustLevel.CLAIMED,
        "192.0.2.1",
        hostile ? HOSTILE : null,
        new CompletedRequest.Evidence(HOSTILE, HOSTILE, base));
  }
}
