package dev.countersign.server;

import static dev.countersign.server.SignedRotation.fingerprint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.Check;
import dev.countersign.server.audit.AuditEntry;
import dev.countersign.server.audit.AuditFilter;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.clients.ClientKey;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import java.io.IOException;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A rotation whose head was accepted is refused nevertheless if the key that signed it ends, or the
 * client loses the permission, before the body has arrived.
 */
@SharedConfiguredService
class RotationStandingTest {
  private static final KeyPair NEXT = TestService.newKeyPair();

  private TestService service;
  private TestClient client;
  private String signedBy;

  @BeforeEach
  void register(TestService shared, TestClient registered) {
    service = shared;
    client = registered;
    signedBy = keys().getFirst().fingerprint();
  }

  @Test
  void rotation_whoseBodyEndsAfterItsKey_isRefused() throws Exception {
    KeyPair successor = addSuccessor();

    RawResponse answer =
        whileBodyIsOnItsWay(
            clients -> {
              Instant end = Instant.now().plusSeconds(1);
              clients.setKeyEnd(client.clientId(), signedBy, end);
              awaitAfter(end);
            });

    assertRefused(answer, 401, "signature_mismatch", Check.SIGNATURE);
    assertThat(answer.json().path("detail").stringValue()).contains("has ended or was removed");
    assertThat(liveKeys()).containsExactly(fingerprint(successor));
  }

  @Test
  void rotation_whoseKeyIsRemovedMeanwhile_isRefused() throws Exception {
    KeyPair successor = addSuccessor();

    RawResponse answer =
        whileBodyIsOnItsWay(clients -> clients.removeKey(client.clientId(), signedBy));

    assertRefused(answer, 401, "signature_mismatch", Check.SIGNATURE);
    assertThat(liveKeys()).containsExactly(fingerprint(successor));
  }

  @Test
  void rotation_whoseRoleIsTakenAwayMeanwhile_isRefused() throws Exception {
    RawResponse answer =
        whileBodyIsOnItsWay(
            clients ->
                clients.update(
                    client.clientId(), new ClientUpdate(null, null, List.of("reader"), null)));

    assertRefused(answer, 403, "role_missing", Check.AUTHORIZATION);
    assertThat(liveKeys()).containsExactly(signedBy);
  }

  @Test
  void rotation_fromAnAddressThatIsTakenAwayMeanwhile_isRefused() throws Exception {
    RawResponse answer =
        whileBodyIsOnItsWay(
            clients ->
                clients.update(
                    client.clientId(), new ClientUpdate(null, List.of("10.0.0.0/8"), null, null)));

    assertRefused(answer, 403, "address_not_allowed", Check.ADDRESS);
    assertThat(liveKeys()).containsExactly(signedBy);
  }

  @Test
  void rotation_ofAClientDisabledMeanwhile_isRefused() throws Exception {
    RawResponse answer = whileBodyIsOnItsWay(clients -> clients.disable(client.clientId()));

    assertRefused(answer, 401, "client_disabled", Check.CLIENT);
    assertThat(liveKeys()).containsExactly(signedBy);
  }

  @Test
  void rotation_whoseBodyTookItsTime_isMadeAndNamesTheKeyThatSigned() throws Exception {
    KeyPair next = TestService.newKeyPair();

    RawResponse answer = whileBodyIsOnItsWay(next, clients -> {});

    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(newestEntry().after())
        .contains(fingerprint(next), "\"signedBy\":\"" + signedBy + "\"");
  }

  private RawResponse whileBodyIsOnItsWay(Consumer<ClientStore> change) throws IOException {
    return whileBodyIsOnItsWay(NEXT, change);
  }

  /** The service asks for the body with 100 after it has verified the signature of the head. */
  private RawResponse whileBodyIsOnItsWay(KeyPair next, Consumer<ClientStore> change)
      throws IOException {
    RawRequest request =
        SignedRotation.of(client, next, 1).request().with("Expect", "100-continue");
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(head(request));
      assertThat(connection.read().status()).isEqualTo(100);
      change.accept(service.part(ClientStore.class));
      return connection.send(request.body()).read();
    }
  }

  private static String head(RawRequest request) {
    String text = request.text();
    return text.substring(0, text.length() - request.body().length());
  }

  private KeyPair addSuccessor() {
    KeyPair successor = TestService.newKeyPair();
    service
        .part(ClientStore.class)
        .addKey(client.clientId(), (RSAPublicKey) successor.getPublic(), null);
    return successor;
  }

  private static void awaitAfter(Instant time) {
    while (!Instant.now().isAfter(time)) {
      LockSupport.parkNanos(10_000_000);
    }
  }

  private static void assertRefused(RawResponse answer, int status, String reason, Check check) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.reason()).isEqualTo(reason);
    assertThat(answer.json().path("check").asString()).isEqualTo(check.word());
  }

  private List<ClientKey> keys() {
    return service.part(ClientStore.class).get(client.clientId()).keys();
  }

  private List<String> liveKeys() {
    Instant now = Instant.now();
    return keys().stream().filter(k -> k.isLiveAt(now)).map(ClientKey::fingerprint).toList();
  }

  private AuditEntry newestEntry() {
    AuditFilter filter =
        new AuditFilter(null, null, "client:" + client.clientId(), null, null, null);
    return service.part(AuditTrail.class).page(filter, 0, 1).entries().getFirst();
  }
}
