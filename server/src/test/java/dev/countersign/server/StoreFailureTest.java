package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.PostgresqlServer;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.CommitProxy;
import dev.countersign.testing.Waits;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyPair;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running service whose store fails answers 503, never 500, and continues afterwards. */
class StoreFailureTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";

  @TempDir private Path folder;

  @Test
  @Tag("full")
  void fileLockedByAnotherConnection_refusesWritesAndAnswersReads() throws Exception {
    try (TestService service = TestService.start(folder, 10)) {
      TestClient client = service.register();
      List<RawResponse> answers;
      RawRequest refused = client.post(WALLETS, SAVINGS);
      try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
          Statement statement = other.createStatement()) {
        statement.execute("BEGIN EXCLUSIVE");
        CompletableFuture<List<RawResponse>> writes =
            CompletableFuture.supplyAsync(() -> sendThirtyCreates(client, refused));
        Thread.sleep(500);
        assertThat(client.get(WALLETS).send().status()).isEqualTo(200);
        // One write waits for the lock, the others for the one connection that writes.
        answers = writes.get(3 * Waits.LIMIT.toSeconds(), TimeUnit.SECONDS);
        statement.execute("ROLLBACK");
      }
      assertThat(answers)
          .allSatisfy(
              answer -> {
                assertThat(answer.status()).as(answer.body()).isEqualTo(503);
                assertThat(answer.reason()).isEqualTo("overloaded");
                assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
                assertThat(answer.header("retry-after")).isNotEmpty();
              });
      RawResponse later = refused.send();
      assertThat(later.status()).as("the same request").isEqualTo(201);
      assertThat(client.get(WALLETS).send().json().path("totalElements").asInt()).isEqualTo(11);
    }
  }

  @Test
  void fileDamagedWhileServing_isAnsweredAsOverloadedAndNeverWith500() throws Exception {
    try (TestService service = TestService.start(folder, 2_000)) {
      TestClient client = service.register();
      checkpoint();
      try (RandomAccessFile pages = new RandomAccessFile(file().toFile(), "rw")) {
        byte[] garbage = new byte[(int) pages.length() - 4096];
        new Random(7).nextBytes(garbage);
        pages.seek(4096);
        pages.write(garbage);
      }
      List<Integer> statuses = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        statuses.add(client.get(WALLETS + "?sort=name&page=" + i).send().status());
        statuses.add(client.post(WALLETS, SAVINGS).send().status());
      }
      assertThat(statuses).contains(503).doesNotContain(500);
      assertThat(client.as("nobody").get(WALLETS).send().status()).isEqualTo(401);
    }
  }

  @Test
  @Tag("full")
  void postgresqlStoppedForAWhile_isAnsweredAsOverloadedUntilItRuns() throws Exception {
    try (PostgresqlServer server = PostgresqlServer.start(folder.resolve("pg"));
        TestService service =
            TestService.startNode(folder.resolve("node"), database(server.url("postgres")), 10)) {
      TestClient client = service.register();
      assertThat(client.get(WALLETS).send().status()).isEqualTo(200);
      server.stop();
      RawRequest post = client.post(WALLETS, SAVINGS);
      List<RawResponse> answers =
          ReplayTest.atOnce(List.of(post::send, () -> client.get(WALLETS).send()));
      assertThat(answers)
          .allSatisfy(answer -> assertThat(answer.reason()).isEqualTo("overloaded"))
          .allSatisfy(answer -> assertThat(answer.header("retry-after")).isNotEmpty());

      server.startAgain();
      // Connections that the pool has just used may still be the old ones.
      RawResponse made = Awaitility.await().until(post::send, answer -> answer.status() != 503);
      assertThat(made.status()).as("the same request").isEqualTo(201);
      RawResponse page =
          Awaitility.await()
              .until(() -> client.get(WALLETS).send(), answer -> answer.status() != 503);
      assertThat(page.json().path("totalElements").asInt()).isEqualTo(11);
    }
  }

  @Test
  @Tag("full")
  void connectionCutDuringTheCommit_isAnsweredWithWhatWasStored() throws Exception {
    URI url = URI.create(TestStore.POSTGRESQL.settings(folder).url().substring("jdbc:".length()));
    try (CommitProxy proxy = new CommitProxy(url.getPort());
        TestService service =
            TestService.startNode(
                folder.resolve("node"),
                database("jdbc:postgresql://localhost:" + proxy.port() + url.getPath()),
                0,
                TestService.ROTATING)) {
      TestClient client = service.register();
      int made = 0;
      for (CommitProxy.Side side : CommitProxy.Side.values()) {
        for (String key : List.of("", "key-" + side)) {
          String name = "Savings " + side + key;
          int cuts = proxy.cuts();
          proxy.arm(CommitProxy.Cut.of(name, side, 1));
          RawResponse answer = post(client, name, key).send();
          assertThat(proxy.cuts()).isEqualTo(cuts + 1);
          assertThat(answer.status()).as(answer.body()).isEqualTo(201);
          String location = answer.header("location").replaceFirst("http://[^/]*", "");
          assertThat(client.get(location).send().body()).isEqualTo(answer.body());
          assertThat(client.get(WALLETS).send().json().path("totalElements").asInt())
              .isEqualTo(++made);
        }
        KeyPair next = TestService.newKeyPair();
        TestClient rotating = service.register();
        int cuts = proxy.cuts();
        proxy.arm(CommitProxy.Cut.of(SignedRotation.fingerprint(next), side, 1));
        RawResponse rotated = SignedRotation.of(rotating, next, 60).send();
        assertThat(proxy.cuts()).isEqualTo(cuts + 1);
        assertThat(rotated.status()).as(rotated.body()).isEqualTo(201);
        assertThat(rotating.with(next.getPrivate()).get(WALLETS).send().status()).isEqualTo(200);
      }
    }
  }

  private StoreSettings database(String url) {
    return new StoreSettings(folder, url, "postgres", null, StoreSettings.SCHEMA);
  }

  private static RawRequest post(TestClient client, String name, String key) {
    TestRequest post = client.signed("POST", WALLETS, SAVINGS.replace("Savings", name));
    return (key.isEmpty() ? post : post.with("Idempotency-Key", key)).request();
  }

  /** Sends thirty requests that create wallets at once, and returns the answers. */
  private static List<RawResponse> sendThirtyCreates(TestClient client, RawRequest first) {
    List<Callable<RawResponse>> calls = new ArrayList<>(List.of(first::send));
    for (int i = 1; i < 30; i++) {
      RawRequest next = client.post(WALLETS, SAVINGS.replace("Savings", "Savings " + i));
      calls.add(next::send);
    }
    try {
      return ReplayTest.atOnce(calls);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void checkpoint() throws Exception {
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = other.createStatement()) {
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  private Path file() {
    return folder.resolve("countersign.db");
  }
}
