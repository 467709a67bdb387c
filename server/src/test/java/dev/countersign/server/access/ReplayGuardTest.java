package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.protocol.Reason;
import dev.countersign.server.HandmadeSignature;
import dev.countersign.server.TestService;
import dev.countersign.server.access.AccessProperties.DateRule;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.clients.RsaKeyPairs;
import dev.countersign.server.clients.TestClock;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.PeriodicTask;
import dev.countersign.server.store.TestStore;
import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.unit.DataSize;

/** The check {@code replay} with clocks that the test moves. */
class ReplayGuardTest {
  private static final CryptoProvider CRYPTO = TestService.CRYPTO;
  private static final Duration WINDOW = Duration.ofSeconds(300);
  private static final String URL = "http://localhost/ledger/v1/wallets";
  private static final StoredAnswer MADE =
      new StoredAnswer(201, Map.of("Location", URL + "/1"), "{\"n\":1}");

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  @ParameterizedTest
  @EnumSource
  void purge_whatCanComeAgain_isKept(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = new ReplayGuard(database, CRYPTO, clock);
      SignedRequest request = signed("acme", "one", Map.of());
      once.perform(request, sql -> MADE);
      once.perform(signed("acme", "one", Map.of("Idempotency-Key", "k")), sql -> MADE);

      clock.advance(WINDOW);
      once.purge();
      assertThat(rows(database, "replay_claims")).isEqualTo(1);
      assertThat(rows(database, "idempotent_answers")).isEqualTo(1);
      assertDenied(Reason.REPLAYED, () -> once.perform(request, sql -> MADE));

      clock.advance(Duration.ofMinutes(3));
      once.purge();
      assertThat(rows(database, "replay_claims")).isZero();
      assertThat(rows(database, "idempotent_answers")).isEqualTo(1);

      clock.advance(Duration.ofHours(24));
      once.purge();
      assertThat(rows(database, "idempotent_answers")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void perform_copyReadWhileItsClaimWasPurged_isRefused(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = new ReplayGuard(database, CRYPTO, clock);
      SignedRequest request = signed("acme", "one", Map.of());
      once.perform(request, sql -> MADE);
      // A node whose clock is a minute ahead of this one may purge at any time.
      TestClock ahead = new TestClock();
      ahead.advance(Duration.ofMinutes(1));
      ReplayGuard other = new ReplayGuard(database, CRYPTO, ahead);

      SignedRequest copy = request;
      for (int second = 0; second <= 600; second++) {
        other.purge();
        assertThatThrownBy(() -> once.perform(copy, sql -> MADE))
            .as("%s s after it was signed", second)
            .isInstanceOf(DeniedException.class);
        clock.advance(Duration.ofSeconds(1));
        ahead.advance(Duration.ofSeconds(1));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void perform_writeThatFails_burnsNothing(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = new ReplayGuard(database, CRYPTO, clock);
      for (Map<String, String> headers :
          List.of(Map.<String, String>of(), Map.of("Idempotency-Key", "k"))) {
        SignedRequest request = signed("acme", "one", headers);
        assertThatThrownBy(
                () ->
                    once.perform(
                        request,
                        sql -> {
                          throw new IllegalStateException("the disk is on fire");
                        }))
            .hasMessage("the disk is on fire");
        assertThat(rows(database, "replay_claims")).isZero();
        assertThat(rows(database, "idempotent_answers")).isZero();
      }
      assertThat(once.perform(signed("acme", "one", Map.of()), sql -> MADE)).isEqualTo(MADE);
      assertThat(once.perform(signed("acme", "one", Map.of("Idempotency-Key", "k")), sql -> MADE))
          .isEqualTo(MADE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void perform_keyOfYesterday_isFree(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = new ReplayGuard(database, CRYPTO, clock);
      Map<String, String> key = Map.of("Idempotency-Key", "k");
      once.perform(signed("acme", "one", key), sql -> MADE);
      clock.advance(Duration.ofHours(24).minusSeconds(1));
      assertThat(once.perform(signed("acme", "one", key), sql -> MADE).headers())
          .containsEntry("Idempotency-Replayed", "true");
      assertDenied(
          Reason.IDEMPOTENCY_MISMATCH, () -> once.perform(signed("acme", "two", key), sql -> MADE));
      clock.advance(Duration.ofSeconds(2));
      assertThat(once.perform(signed("acme", "two", key), sql -> MADE)).isEqualTo(MADE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void perform_sameNonce_isTakenOnceWhateverTheRequest(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = new ReplayGuard(database, CRYPTO, clock);
      once.perform(withNonce("acme", "one", "n1"), sql -> MADE);
      assertDenied(
          Reason.REPLAYED, () -> once.perform(withNonce("acme", "two", "n1"), sql -> MADE));
      assertDenied(Reason.REPLAYED, () -> once.claimNonce(withNonce("acme", "", "n1")));
      // Nonces of different clients are independent.
      once.perform(withNonce("other", "one", "n1"), sql -> MADE);
      // A request that was refused for its nonce may be sent again with a new one.
      assertThat(once.perform(withNonce("acme", "two", "n2"), sql -> MADE)).isEqualTo(MADE);
    }
  }

  @Test
  void regularPurge_storeFails_goesOnAndPurgesOnceItIsBack() throws Exception {
    try (Database database = TestStore.SQLITE.open(folder)) {
      ReplayGuard once = new ReplayGuard(database, CRYPTO, clock);
      once.perform(signed("acme", "one", Map.of()), sql -> MADE);
      clock.advance(Duration.ofHours(1));
      rename(database, "replay_claims", "gone");
      Semaphore attempts = new Semaphore(0);
      Runnable attempt =
          () -> {
            attempts.release();
            once.purge();
          };
      try (PeriodicTask purge = PeriodicTask.start("purge", Duration.ofMillis(10), attempt)) {
        // The second attempt begins after the first one has failed.
        assertThat(attempts.tryAcquire(2, 60, TimeUnit.SECONDS)).isTrue();
        rename(database, "gone", "replay_claims");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (rows(database, "replay_claims") > 0 && System.nanoTime() < deadline) {
          Thread.sleep(10);
        }
        assertThat(rows(database, "replay_claims")).as("%s", purge).isZero();
      }
    }
  }

  private static void rename(Database database, String from, String to) {
    database.write(sql -> sql.sql("ALTER TABLE " + from + " RENAME TO " + to).update());
  }

  private static int rows(Database database, String table) {
    return database.read(
        sql -> sql.sql("SELECT count(*) FROM " + table).query(Integer.class).single());
  }

  private static void assertDenied(Reason reason, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            DeniedException.class,
            denied -> assertThat(denied.denial().reason()).isEqualTo(reason));
  }

  private SignedRequest signed(String clientId, String body, Map<String, String> headers) {
    return authenticated(clientId, body, headers, "");
  }

  private SignedRequest withNonce(String clientId, String body, String nonce) {
    return authenticated(clientId, body, Map.of(), ";nonce=\"" + nonce + "\"");
  }

  /** Passes all checks up to {@code body}, at this test's time; a GET if the body is empty. */
  private SignedRequest authenticated(
      String clientId, String body, Map<String, String> headers, String parameters) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String method = bytes.length == 0 ? "GET" : "POST";
    SignableRequest request =
        SignableRequest.of(method, URL, clock.instant()).withBody(bytes, CRYPTO);
    Map<String, String> components = new LinkedHashMap<>();
    components.put("@method", method);
    components.put("@target-uri", URL);
    if (bytes.length > 0) {
      components.put("content-digest", request.fieldLines("content-digest").get(0));
    }
    components.put("date", request.fieldLines("date").get(0));
    headers.forEach((name, value) -> components.put(name.toLowerCase(Locale.ROOT), value));

    MockHttpServletRequest servlet = new MockHttpServletRequest(method, "/ledger/v1/wallets");
    servlet.addHeader("Host", "localhost");
    components.forEach(
        (name, value) -> {
          if (!name.startsWith("@")) {
            servlet.addHeader(name, value);
          }
        });
    String all =
        ";created=%d;keyid=\"%s\";alg=\"rsa-v1_5-sha256\"%s"
            .formatted(clock.instant().getEpochSecond(), clientId, parameters);
    HandmadeSignature.headers(components, all, RsaKeyPairs.keyPair(0).getPrivate())
        .forEach(servlet::addHeader);
    servlet.setContent(bytes);
    return authenticator().authenticate(servlet);
  }

  private RequestAuthenticator authenticator() {
    AccessProperties properties =
        new AccessProperties(
            DateRule.REQUIRED,
            AccessProperties.LabelRule.SIG,
            WINDOW,
            Duration.ofSeconds(30),
            List.of(),
            DataSize.ofMegabytes(1),
            Duration.ofSeconds(10),
            0,
            0,
            Duration.ofSeconds(60));
    return new RequestAuthenticator(
        properties,
        PublicUrls.of(List.of()),
        ReplayGuardTest::client,
        NodeFitnessTest.fit(),
        CRYPTO,
        clock);
  }

  private static Optional<RegisteredClient> client(String keyid) {
    return Optional.of(
        new RegisteredClient(
            keyid,
            true,
            NetworkWhitelist.parse(List.of("0.0.0.0")),
            Set.of(),
            Map.of(),
            List.of(new RegisteredClient.Key("SHA256:x", RsaKeyPairs.verificationKey(0), null))));
  }
}
