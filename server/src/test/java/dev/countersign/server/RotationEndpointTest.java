package dev.countersign.server;

import static dev.countersign.server.SignedRotation.NEXT;
import static dev.countersign.server.SignedRotation.WALLETS;
import static dev.countersign.server.SignedRotation.fingerprint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.audit.AuditEntry;
import dev.countersign.server.audit.AuditFilter;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.ChainVerification;
import dev.countersign.server.clients.ClientAttention;
import dev.countersign.server.clients.ClientKey;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.store.Database;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** A client rotates its own key with a request that both keys have signed. */
@SharedConfiguredService
class RotationEndpointTest {
  private TestService service;
  private TestClient client;

  @BeforeEach
  void register(TestService shared, TestClient registered) {
    service = shared;
    client = registered;
  }

  @Test
  void rotation_signedByBothKeys_makesTheNewKeyLiveBesideTheOld() {
    KeyPair next = TestService.newKeyPair();
    Instant before = Instant.now();

    RawResponse answer = SignedRotation.of(client, next, 3_600).send();

    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(answer.header("cache-control")).isEqualTo("no-store");
    assertThat(answer.json().propertyNames())
        .containsExactly("clientId", "fingerprint", "previousFingerprint", "previousEndsAt");
    assertThat(answer.json().path("clientId").stringValue()).isEqualTo(client.clientId());
    assertThat(answer.json().path("fingerprint").stringValue()).isEqualTo(fingerprint(next));
    assertThat(answer.json().path("previousFingerprint").stringValue()).startsWith("SHA256:");
    assertThat(Instant.parse(answer.json().path("previousEndsAt").stringValue()))
        .isBetween(before.plusSeconds(3_599), Instant.now().plusSeconds(3_601));
    assertThat(status(client.with(next.getPrivate()))).isEqualTo(200);
    assertThat(status(client)).as("the old key, within the overlap").isEqualTo(200);
  }

  @Test
  void rotation_withoutAnOverlap_leavesTheOldKeyADay() {
    KeyPair next = TestService.newKeyPair();
    String body = JsonMapper.shared().writeValueAsString(Map.of("publicKey", pem(next)));

    RawResponse answer = SignedRotation.of(client, next, body, Instant.now()).send();

    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(Instant.parse(answer.json().path("previousEndsAt").stringValue()))
        .isBetween(Instant.now().plusSeconds(86_000), Instant.now().plusSeconds(86_401));
  }

  @Test
  void oldKey_afterTheOverlap_hasEndedAndTheNextRotationWorks() throws Exception {
    KeyPair next = TestService.newKeyPair();
    assertThat(SignedRotation.of(client, next, 1).send().status()).isEqualTo(201);
    for (int i = 0; i < 600 && status(client) == 200; i++) {
      Thread.sleep(100);
    }

    assertThat(client.get(WALLETS).send().reason()).isEqualTo("signature_mismatch");
    SignedRotation.age(service, client, Duration.ofMinutes(1));
    TestClient rotated = client.with(next.getPrivate());
    RawResponse again = SignedRotation.of(rotated, TestService.newKeyPair(), 60).send();
    assertThat(again.status()).as(again.body()).isEqualTo(201);
    assertThat(again.json().path("previousFingerprint").stringValue()).isEqualTo(fingerprint(next));
  }

  @Test
  void bothSignatures_onOneLineEach_areTaken() {
    RawRequest request = SignedRotation.of(client, TestService.newKeyPair(), 60).request();
    RawRequest joined =
        request
            .with("Signature-Input", oneLine(request, "Signature-Input"))
            .with("Signature", oneLine(request, "Signature"));

    assertThat(joined.send().status()).isEqualTo(201);
  }

  @Test
  void rotation_sentAgainSignedAnew_isAnsweredAsDone() {
    KeyPair next = TestService.newKeyPair();
    RawResponse first = SignedRotation.of(client, next, 60).send();
    Instant later = Instant.now().plusSeconds(3);

    RawResponse again =
        SignedRotation.of(client, next, SignedRotation.body(next, 60), later).send();
    RawResponse byNext =
        SignedRotation.of(
                client.with(next.getPrivate()),
                next,
                SignedRotation.body(next, 60),
                later.plusSeconds(1))
            .send();

    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(byNext.status()).as("by a caller that already uses the new key").isEqualTo(200);
    assertThat(byNext.body()).isEqualTo(first.body());
    assertThat(entries()).as("one change").hasSize(2);
  }

  @Test
  void liveKey_sentAgainWithoutItsProof_isRefused() {
    KeyPair next = TestService.newKeyPair();
    SignedRotation.of(client, next, 60).send();

    RawResponse answer = client.post(SignedRotation.KEYS, SignedRotation.body(next, 60)).send();

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.reason()).isEqualTo("possession_unproven");
  }

  @Test
  void presentKey_whereItIsTheOnlyOne_isAnsweredWithoutAPrevious() {
    KeyPair own = TestService.newKeyPair();

    RawResponse answer = SignedRotation.of(service.register(own), own, 60).send();

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().propertyNames()).containsExactly("clientId", "fingerprint");
  }

  @Test
  void rotation_whileTwoKeysAreLive_isPending() {
    SignedRotation.of(client, TestService.newKeyPair(), 600).send();

    RawResponse answer = SignedRotation.of(client, NEXT, 60).send();

    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.reason()).isEqualTo("rotation_pending");
    assertThat(answer.json().path("detail").stringValue()).contains("one of them until 20");
    assertThat(Integer.parseInt(answer.header("retry-after"))).isBetween(500, 600);
  }

  @Test
  void pendingRotation_sentAgainWhenAKeyHasEnded_isAReplay() {
    KeyPair first = TestService.newKeyPair();
    SignedRotation.of(client, first, 600).send();
    RawRequest recorded = SignedRotation.of(client, NEXT, 60).request();
    assertThat(recorded.send().reason()).isEqualTo("rotation_pending");
    service.part(ClientStore.class).removeKey(client.clientId(), fingerprint(first));

    assertThat(recorded.send().reason()).isEqualTo("replayed");
  }

  /** The refusal was for then: the key is free for a new request, but the old one is spent. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void pendingRotation_withAnIdempotencyKey_runsWhenSignedAnew(boolean copyFirst) {
    KeyPair first = TestService.newKeyPair();
    KeyPair next = TestService.newKeyPair();
    SignedRotation.of(client, first, 600).send();
    SignedRotation.age(service, client, Duration.ofMinutes(1));
    RawRequest recorded = SignedRotation.keyed(client, next, Instant.now());
    assertThat(recorded.send().reason()).isEqualTo("rotation_pending");
    service.part(ClientStore.class).removeKey(client.clientId(), fingerprint(first));

    if (copyFirst) {
      assertThat(recorded.send().reason()).isEqualTo("replayed");
    }
    RawResponse anew = SignedRotation.keyed(client, next, Instant.now().plusSeconds(3)).send();
    assertThat(anew.status()).as(anew.body()).isEqualTo(201);
    assertThat(recorded.send().reason()).isEqualTo("replayed");
    RawResponse again = SignedRotation.keyed(client, next, Instant.now().plusSeconds(4)).send();
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.header("idempotency-replayed")).isEqualTo("true");
  }

  /** All changes to clients wait for each other, and a client can ask as often as it likes. */
  @Test
  void refusedRotations_useUpNoRevision() {
    SignedRotation.of(client, TestService.newKeyPair(), 600).send();
    long before = revision();
    for (int i = 0; i < 3; i++) {
      assertThat(SignedRotation.of(client, TestService.newKeyPair(), 60).send().reason())
          .isEqualTo("rotation_pending");
    }
    assertThat(revision()).isEqualTo(before);
  }

  private long revision() {
    return service
        .part(Database.class)
        .read(sql -> sql.sql("SELECT value FROM client_revision").query(Long.class).single());
  }

  @Test
  void rotation_withinAMinuteOfTheLast_isRateLimited() {
    KeyPair first = TestService.newKeyPair();
    KeyPair second = TestService.newKeyPair();
    SignedRotation.of(client, first, 600).send();
    service.part(ClientStore.class).removeKey(client.clientId(), oldFingerprint(first));
    TestClient rotated = client.with(first.getPrivate());
    RawRequest recorded = SignedRotation.of(rotated, second, 60).request();

    RawResponse answer = recorded.send();

    assertThat(answer.status()).as(answer.body()).isEqualTo(429);
    assertThat(answer.reason()).isEqualTo("rate_limited");
    assertThat(answer.json().path("detail").stringValue()).contains("rotated its key at 20");
    assertThat(Integer.parseInt(answer.header("retry-after"))).isBetween(1, 60);
    SignedRotation.age(service, client, Duration.ofMinutes(1));
    assertThat(recorded.send().reason()).as("later").isEqualTo("replayed");
    Instant later = Instant.now().plusSeconds(3);
    RawResponse anew =
        SignedRotation.of(rotated, second, SignedRotation.body(second, 60), later).send();
    assertThat(anew.status()).as(anew.body()).isEqualTo(201);
  }

  @Test
  void formerKey_isNeverTakenAgain() {
    KeyPair former = TestService.newKeyPair();
    SignedRotation.of(client, former, 600).send();
    service.part(ClientStore.class).removeKey(client.clientId(), fingerprint(former));

    RawResponse answer = SignedRotation.of(client, former, 60).send();

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.json().path("detail").stringValue()).contains("was used before");
  }

  @Test
  void rotation_isOnThePortalsAttentionList() {
    SignedRotation.of(client, TestService.newKeyPair(), 60).send();

    assertThat(service.part(ClientAttention.class).rotations().some())
        .extracting(ClientAttention.Concern::clientId)
        .as("among the newest ones")
        .contains(client.clientId());
    assertThat(PortalClient.viewer(service).get("/").expect(200).body())
        .contains("Rotated by the client in the last 7 days", client.clientId());
  }

  @Test
  void rotation_whileTwoKeysWithoutAnEndAreLive_namesNoTime() {
    service
        .part(ClientStore.class)
        .addKey(client.clientId(), (RSAPublicKey) TestService.newKeyPair().getPublic(), null);

    RawResponse answer = SignedRotation.of(client, NEXT, 60).send();

    assertThat(answer.reason()).isEqualTo("rotation_pending");
    assertThat(answer.header("retry-after")).isEmpty();
  }

  @Test
  void audit_ofARotation_namesTheClientAndTheWay() {
    KeyPair next = TestService.newKeyPair();
    SignedRotation.of(client, next, 60).send();

    AuditEntry entry = entries().getFirst();
    assertThat(entry.action()).isEqualTo("client.key-added");
    assertThat(entry.author()).isEqualTo(client.clientId());
    assertThat(entry.channel()).isEqualTo("api");
    assertThat(entry.address()).isIn("127.0.0.1", "0:0:0:0:0:0:0:1");
    assertThat(entry.after()).contains(fingerprint(next), "\"possession\":\"proven\"", "endsAt");
    assertThat(service.part(AuditTrail.class).verify())
        .isInstanceOf(ChainVerification.Intact.class);
  }

  // The route

  @Test
  void client_withoutThePermission_isRefused() {
    TestClient viewer = service.register("reader", "127.0.0.1", "::1");

    RawResponse answer = SignedRotation.of(viewer, NEXT, 60).send();

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.reason()).isEqualTo("role_missing");
    assertThat(answer.json().path("detail").stringValue()).contains("integrations:keys:create");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE"})
  void otherMethods_areNotAllowed(String method) {
    RawResponse answer = client.signed(method, SignedRotation.KEYS).send();

    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("allow")).isEqualTo("POST");
  }

  @Test
  void query_isRefused() {
    RawResponse answer =
        client.post(SignedRotation.KEYS + "?force=1", SignedRotation.body(NEXT, 60)).send();

    assertThat(answer.reason()).isEqualTo("parameter_unknown");
  }

  @Test
  void mediaType_thatIsNotJson_isRefused() {
    RawRequest request = SignedRotation.of(client, NEXT, 60).request();

    assertThat(request.with("Content-Type", "text/plain").send().reason())
        .isEqualTo("media_type_unsupported");
  }

  @Test
  void stranger_isAskedForASignature() {
    RawResponse answer =
        RawRequest.send(
            service.port(),
            "POST "
                + SignedRotation.KEYS
                + " HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Length: 0\r\n\r\n");

    assertThat(answer.reason()).isEqualTo("signature_missing");
  }

  @Test
  void refusals_useNothingUp() {
    KeyPair next = TestService.newKeyPair();
    TestRequest good = SignedRotation.of(client, next, 60);
    assertThat(good.signedBy(client.privateKey()).send().status()).isEqualTo(422);

    assertThat(good.send().status()).isEqualTo(201);
  }

  // Shared code

  /** Returns the fingerprint of the client's other key. */
  private String oldFingerprint(KeyPair other) {
    return service.part(ClientStore.class).get(client.clientId()).keys().stream()
        .map(ClientKey::fingerprint)
        .filter(fingerprint -> !fingerprint.equals(fingerprint(other)))
        .findFirst()
        .orElseThrow();
  }

  private static int status(TestClient caller) {
    return caller.get(WALLETS).send().status();
  }

  private List<AuditEntry> entries() {
    AuditFilter filter =
        new AuditFilter(null, null, "client:" + client.clientId(), null, null, null);
    return service.part(AuditTrail.class).page(filter, 0, 10).entries();
  }

  /** Like {@link SignedRotation}, with an Idempotency-Key that sig covers. */
  private static String oneLine(RawRequest request, String header) {
    return request.header(header).replace("\r\n" + header + ": ", ", ");
  }

  private static String pem(KeyPair pair) {
    return SignedRotation.pem(pair);
  }
}
