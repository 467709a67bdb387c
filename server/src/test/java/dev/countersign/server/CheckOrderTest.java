package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Check;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.requests.RequestDetails;
import dev.countersign.server.requests.RequestRecordStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A record shows exactly the checks that the service made, in their order: the permission is
 * checked before the body.
 */
class CheckOrderTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";

  private final List<Check> failed = new ArrayList<>();

  /** A request with one fault per check, which are corrected one after the other. */
  @Test
  void faultsMendedOneByOne_failEachCheckInItsOrder() {
    try (TestService service = TestService.shared("countersign.errors.signature-base=false")) {
      seen = service.part(RequestRecordStore.class).latest();
      TestClient client = service.register("ledger-viewer", "203.0.113.7");
      ClientStore clients = service.part(ClientStore.class);
      TestRequest late =
          client
              .signed("POST", WALLETS, SAVINGS)
              .createdIn(-4_000)
              .with("content-digest", "md5=:AAAA:");
      RawRequest unknown = late.withParameters(late.parameters().replace("cl-", "xx-")).request();

      note(service, unknown.without("Signature"));
      note(service, late.without("content-digest").without("date").request());
      note(service, unknown);
      note(service, late.request());
      clients.update(
          client.clientId(), new ClientUpdate(null, List.of("127.0.0.1", "::1"), null, null));
      service.awaitClients();
      note(service, late.request());
      TestRequest wrongDigest =
          client.signed("POST", WALLETS, SAVINGS).with("content-digest", "md5=:AAAA:");
      note(service, wrongDigest.withUrl("http://elsewhere/").request());
      TestRequest viewer = client.signed("POST", WALLETS, SAVINGS);
      RawRequest other = viewer.request().withBody(SAVINGS.replace("EUR", "USD"));
      note(service, other.withTarget(WALLETS + "?a=b"));
      // The role is missing, whatever the body.
      note(service, other);
      clients.update(
          client.clientId(), new ClientUpdate(null, null, List.of("ledger-operator"), null));
      service.awaitClients();
      note(service, other);
      assertThat(viewer.send().status()).isEqualTo(201);
      awaitRecord(service);
      note(service, viewer.request());
    }
    List<Check> order = new ArrayList<>(List.of(Check.values()));
    order.remove(Check.AUTHORIZATION);
    order.add(order.indexOf(Check.BODY), Check.AUTHORIZATION);
    assertThat(failed).isEqualTo(order);
  }

  private long seen;

  private void note(TestService service, RawRequest request) {
    request.send();
    RequestDetails recorded = awaitRecord(service);
    CheckProgress progress = recorded.request().checks();
    assertThat(progress.refusedBy()).as("%s", recorded).isNotNull();
    assertThat(progress.passed())
        .as("the last before %s", progress.refusedBy())
        .isEqualTo(lastPassed());
    failed.add(progress.refusedBy());
  }

  /** Waits for the record of the last request, which is written after the response was sent. */
  private RequestDetails awaitRecord(TestService service) {
    RequestRecordStore records = service.part(RequestRecordStore.class);
    Awaitility.await().until(() -> records.latest() > seen);
    seen = records.latest();
    return records.find(seen).orElseThrow();
  }

  /** The last check up to which all have been corrected. */
  private @Nullable Check lastPassed() {
    return Arrays.stream(Check.values())
        .takeWhile(failed::contains)
        .reduce((before, check) -> check)
        .orElse(null);
  }
}
