package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.requests.RequestDetails;
import dev.countersign.server.requests.RequestFilter;
import dev.countersign.server.requests.RequestRecord;
import dev.countersign.server.requests.RequestRecordStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The records of requests that were sent over a socket. */
class RequestCaptureTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";

  @TempDir private Path folder;

  @Test
  void verifiedRequest_accepted_isRecordedWithItsKey() {
    try (TestService service = shared()) {
      TestClient client = service.register();
      Instant before = Instant.now().minusMillis(1);
      RawResponse page =
          client.get(WALLETS + "?size=2").with("User-Agent", "Partner/1.0 <script>").send();

      RequestDetails recorded = latest(service);
      RequestRecord request = recorded.request();
      assertThat(request.trust()).isEqualTo(TrustLevel.VERIFIED);
      assertThat(request.clientId()).isEqualTo(client.clientId());
      assertThat(request.method()).isEqualTo("GET");
      assertThat(request.path()).isEqualTo(WALLETS);
      assertThat(request.status()).isEqualTo(200);
      assertThat(request.reason()).isNull();
      assertThat(request.address()).isIn("127.0.0.1", "0:0:0:0:0:0:0:1");
      assertThat(request.requestId()).isEqualTo(page.header("x-request-id"));
      assertThat(request.time()).isBetween(before, Instant.now());
      assertThat(request.duration()).isPositive();
      assertThat(recorded.target()).isEqualTo(WALLETS + "?size=2");
      assertThat(recorded.keyFingerprint())
          .isEqualTo(
              service
                  .part(ClientStore.class)
                  .get(client.clientId())
                  .keys()
                  .getFirst()
                  .fingerprint());
      assertThat(recorded.userAgent()).isEqualTo("Partner/1.0 <script>");
      assertThat(recorded.detail()).isNull();
      assertThat(recorded.signatureBase()).isNull();
    }
  }

  @Test
  void verifiedRequest_refusedAtTheRoute_keepsItsTrustLevel() {
    try (TestService service = shared()) {
      TestClient client = service.register("ledger-viewer", "127.0.0.1", "::1");
      RawResponse refused = client.post(WALLETS, SAVINGS).send();

      RequestDetails recorded = latest(service);
      assertThat(recorded.request().trust()).isEqualTo(TrustLevel.VERIFIED);
      assertThat(recorded.request().reason()).isEqualTo(Reason.ROLE_MISSING);
      assertThat(recorded.request().status()).isEqualTo(403);
      assertThat(recorded.detail()).isEqualTo(refused.json().path("detail").asString());
    }
  }

  @Test
  void verifiedHead_withAnotherBody_isVerified() {
    try (TestService service = shared()) {
      service.register().post(WALLETS, SAVINGS).withBody(SAVINGS.replace("EUR", "USD")).send();

      RequestDetails recorded = latest(service);
      assertThat(recorded.request().reason()).isEqualTo(Reason.DIGEST_MISMATCH);
      assertThat(recorded.request().trust()).isEqualTo(TrustLevel.VERIFIED);
      assertThat(recorded.keyFingerprint()).isNotNull();
    }
  }

  @Test
  void claimedRequest_tampered_keepsTheSignatureBaseAlsoWhereCallersAreNotShownIt() {
    try (TestService service = shared()) {
      TestClient client = service.register();
      RawResponse refused = client.get(WALLETS + "?size=2").withTarget(WALLETS + "?size=9").send();
      assertThat(refused.json().has("signatureBase")).isFalse();

      RequestDetails recorded = latest(service);
      assertThat(recorded.request().trust()).isEqualTo(TrustLevel.CLAIMED);
      assertThat(recorded.request().clientId()).isEqualTo(client.clientId());
      assertThat(recorded.request().reason()).isEqualTo(Reason.SIGNATURE_MISMATCH);
      assertThat(recorded.keyFingerprint()).isNull();
      assertThat(recorded.signatureBase())
          .contains("\"@method\": GET\n")
          .contains("\"@target-uri\": " + service.url() + WALLETS + "?size=9\n");
    }
  }

  @Test
  void claimedRequest_ofWrongComponents_isThatOfItsClient() {
    try (TestService service = shared()) {
      TestClient client = service.register();
      client.signed("GET", WALLETS).without("date").send();

      RequestDetails recorded = latest(service);
      // The check fields reads the keyid, so a request that the check profile refuses is attributed
      // as claimed.
      assertThat(recorded.request().trust()).isEqualTo(TrustLevel.CLAIMED);
      assertThat(recorded.request().clientId()).isEqualTo(client.clientId());
      assertThat(recorded.request().checks())
          .isEqualTo(new CheckProgress(Check.FIELDS, Check.PROFILE));
      assertThat(recorded.request().reason()).isEqualTo(Reason.COMPONENTS_WRONG);
      assertThat(recorded.expected()).contains("\"date\"");
      assertThat(recorded.received()).isEqualTo("(\"@method\" \"@target-uri\")");
    }
  }

  @Test
  void strangers_ofAllKinds_areRecordedAsThat() {
    try (TestService service = shared()) {
      TestClient client = service.register();
      client.as("nobody").get(WALLETS).send();
      assertThat(latest(service).request().reason()).isEqualTo(Reason.CLIENT_UNKNOWN);
      assertThat(all(service).getFirst().clientId()).isNull();
      client.get(WALLETS).without("Signature").send();
      assertThat(latest(service).request().reason()).isEqualTo(Reason.SIGNATURE_MISSING);
      RawRequest.send(service.port(), "GET /a b c HTTP/1.1\r\n\r\n");
      assertThat(latest(service).request().reason()).isEqualTo(Reason.REQUEST_MALFORMED);

      TestClient elsewhere = service.register("ledger-viewer", "203.0.113.7");
      elsewhere.get(WALLETS).send();
      assertThat(latest(service).request().reason()).isEqualTo(Reason.ADDRESS_NOT_ALLOWED);
      assertThat(all(service).getFirst().clientId()).isEqualTo(elsewhere.clientId());
      service.part(ClientStore.class).disable(client.clientId());
      service.awaitClients();
      client.get(WALLETS).send();
      assertThat(latest(service).request().reason()).isEqualTo(Reason.CLIENT_DISABLED);
      assertThat(all(service))
          .hasSize(5)
          .allSatisfy(r -> assertThat(r.trust()).isEqualTo(TrustLevel.ANONYMOUS));
    }
  }

  /**
   * The service waits 2 s for the rest of the body, after it has answered. If the machine is too
   * slow to answer within that time, the test tries again.
   */
  @Test
  void refusedRequest_whoseBodyDoesNotArrive_endsWithItsAnswer() {
    try (TestService service = shared()) {
      Awaitility.await()
          .until(
              () -> {
                sendWithoutBody(service);
                return latest(service).request().duration();
              },
              duration -> duration.compareTo(Duration.ofSeconds(2)) < 0);
    }
  }

  @Test
  void refusedRequest_whoseBodyDoesNotArrive_isRecordedOnce() throws IOException {
    try (TestService service = shared()) {
      sendWithoutBody(service);
      RawRequest.send(service.port(), "GET " + WALLETS + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      Awaitility.await().until(() -> all(service).stream().anyMatch(r -> r.method().equals("GET")));
      assertThat(all(service)).extracting(RequestRecord::method).containsOnlyOnce("POST");
    }
  }

  /** Sends the head of a request that is refused, and waits until the service disconnects. */
  private static void sendWithoutBody(TestService service) throws IOException {
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(
          "POST " + WALLETS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n");
      assertThat(connection.readAll()).startsWith("HTTP/1.1 401");
    }
  }

  @Test
  void healthProbes_areNotRecorded() {
    try (TestService service = shared()) {
      TestClient client = service.register();
      RawRequest probe = client.get("/actuator/health").without("Signature");
      assertThat(probe.send().status()).isEqualTo(200);
      assertThat(probe.withMethod("HEAD").send().status()).isEqualTo(200);
      assertThat(probe.withMethod("POST").send().status()).isEqualTo(401);
      latest(service);
      assertThat(all(service)).singleElement().matches(r -> r.method().equals("POST"));
    }
  }

  @Test
  void portalPages_areNotRecorded() {
    try (TestService service = shared()) {
      TestClient client = service.register();
      RawRequest page = client.get("/portal/sign-in").without("Signature");
      assertThat(page.send().status()).isEqualTo(200);
      assertThat(client.get("/portal").send().status()).isNotEqualTo(401);
      assertThat(page.withTarget("/portals").send().status()).isEqualTo(401);
      latest(service);
      assertThat(all(service)).singleElement().matches(r -> r.path().equals("/portals"));
    }
  }

  @Test
  void cursor_isKeptOnlyInPart() {
    try (TestService service = shared()) {
      TestClient client = service.register();
      String cursor = "A".repeat(16) + "secret";
      client.get(WALLETS + "?size=2&after=" + cursor + "&sort=name").send();
      RequestDetails recorded = latest(service);
      assertThat(recorded.target())
          .isEqualTo(WALLETS + "?size=2&after=AAAAAAAAAAAAAAAA...&sort=name");
      assertThat(recorded.detail()).contains("AAAAAAAAAAAAAAAA...").doesNotContain("secret");
      client.get(WALLETS + "?%61fter=" + cursor).send();
      assertThat(latest(service).target()).isEqualTo(WALLETS + "?%61fter=AAAAAAAAAAAAAAAA...");
    }
  }

  @Test
  void hostileTexts_areKeptAsData() {
    try (TestService service = shared()) {
      TestClient client = service.register();
      String path = "/%3Cscript%3E';DROP%20TABLE%20request_records;--/" + "a".repeat(3_000);
      client
          .as("<script>alert(1)</script>")
          .get(path)
          .with("User-Agent", "' OR 1=1 -- \u00e9" + "u".repeat(500))
          .withMethod("A".repeat(100))
          .send();

      RequestDetails recorded = latest(service);
      assertThat(recorded.request().path()).isEqualTo(path.substring(0, 512));
      assertThat(recorded.target()).isEqualTo(path.substring(0, 2_048));
      assertThat(recorded.request().method()).isEqualTo("A".repeat(32));
      assertThat(recorded.userAgent()).startsWith("' OR 1=1 -- ").hasSize(200);
    }
  }

  @Test
  void bodiesAndSignatures_areNowhereInTheFiles() throws IOException {
    RawRequest get;
    String body = "{\"name\":\"Xylophone-7319\",\"currencyCode\":\"EUR\",\"Zebra-2718\":1}";
    try (TestService service = TestService.start(folder, 3)) {
      TestClient client = service.register();
      get = client.get(WALLETS);
      get.send();
      get.withTarget(WALLETS + "?size=9").send();
      get.with("Signature", get.header("Signature") + ",broken=(").send();
      client.post(WALLETS, body).send();
      client.post(WALLETS, body.replace("}", "")).send();
      client.post(WALLETS, body).withBody(body.replace("1", "2")).send();
      Awaitility.await().until(() -> all(service).size() == 6);
      assertThat(all(service))
          .extracting(RequestRecord::reason)
          // A request is recorded after its response was sent.
          .containsExactlyInAnyOrder(
              Reason.DIGEST_MISMATCH,
              Reason.BODY_INVALID,
              Reason.BODY_INVALID,
              Reason.SIGNATURE_MALFORMED,
              Reason.SIGNATURE_MISMATCH,
              null);
    }
    String signature = get.header("Signature").substring(5, 60);
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> ours =
          files.filter(f -> f.getFileName().toString().matches("requests[.]db(-.*)?")).toList();
      assertThat(ours).isNotEmpty();
      for (Path file : ours) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(bytes).contains(WALLETS);
        assertThat(bytes.contains(signature)).as("signature in %s", file).isFalse();
        assertThat(bytes.contains("Xylophone-7319")).as("body in %s", file).isFalse();
        assertThat(bytes.contains("Zebra-2718")).as("member of a body in %s", file).isFalse();
      }
    }
  }

  @Test
  @Tag("full")
  void log_ofRefused_leavesTheOthersOut() {
    try (TestService service = TestService.start(folder, 3, "countersign.requests.log=refused")) {
      TestClient client = service.register();
      client.get(WALLETS).send();
      client.get(WALLETS + "?size=0").send();
      latest(service);
      assertThat(all(service)).singleElement().matches(r -> r.reason() == Reason.PARAMETER_INVALID);
    }
  }

  @Test
  @Tag("full")
  void shutdown_writesWhatWaits() {
    RawResponse answer;
    try (TestService service = TestService.start(folder, 3)) {
      answer = service.register().get(WALLETS).send();
    }
    try (TestService service = TestService.start(folder, 3)) {
      assertThat(all(service))
          .extracting(RequestRecord::requestId)
          .containsExactly(answer.header("x-request-id"));
    }
  }

  private List<RequestRecord> all(TestService service) {
    return service
        .part(RequestRecordStore.class)
        .search(RequestFilter.ALL, null, 100)
        .requests()
        .stream()
        .filter(request -> request.id() > began)
        .toList();
  }

  private long began;
  private long seen;

  /** The service that most of these tests use, and its requests from now on. */
  private TestService shared() {
    TestService service = TestService.shared("countersign.errors.signature-base=false");
    began = service.part(RequestRecordStore.class).latest();
    seen = began;
    return service;
  }

  /** The request that was recorded since the last call. */
  private RequestDetails latest(TestService service) {
    RequestRecordStore records = service.part(RequestRecordStore.class);
    long after = seen;
    Awaitility.await().until(() -> records.latest() > after);
    seen = records.latest();
    return records.find(seen).orElseThrow();
  }
}
