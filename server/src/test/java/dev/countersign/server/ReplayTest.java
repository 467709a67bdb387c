package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.once.ReplayPurge;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An unsafe request is executed once: with concurrent copies, later copies, on two nodes and after
 * a restart.
 */
class ReplayTest {
  private static final int COPIES = 200;
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";
  private static final String TRAVEL = "{\"name\":\"Travel\",\"currencyCode\":\"EUR\"}";

  @TempDir private Path folder;

  /** On SQLite and on PostgreSQL. */
  static Stream<TestService> services() {
    return Stream.of(SharedNodes.alone(), SharedNodes.first());
  }

  @Test
  void copies_atOnceAndAfterARestart_areTakenOnce() throws Exception {
    assertTakenOnce(TestStore.SQLITE);
  }

  @Test
  @Tag("full")
  void copies_atOnceAndAfterARestartOnPostgresql_areTakenOnce() throws Exception {
    assertTakenOnce(TestStore.POSTGRESQL);
  }

  private void assertTakenOnce(TestStore store) throws Exception {
    RawRequest signed;
    try (TestService service = start(store, "one")) {
      signed = service.register().post(WALLETS, SAVINGS);
      List<RawResponse> answers = allTaken(copies(signed, service.port()));

      assertThat(tally(answers)).isEqualTo(Map.of("201", 1L, "401 replayed", COPIES - 1L));
      assertThat(wallets(service)).isEqualTo(1);
    }
    try (TestService service = start(store, "one")) {
      // The same bytes with the signed Host.
      List<RawResponse> answers = allTaken(copies(signed, service.port()));

      assertThat(tally(answers)).isEqualTo(Map.of("401 replayed", (long) COPIES));
      assertThat(wallets(service)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("services")
  void oneIdempotencyKey_eachCopySignedInAnotherSecond_makesOneWallet(TestService service)
      throws Exception {
    service.fillWallets(0);
    TestClient client = service.register();
    assertMadeOnce(allTaken(keyed(client, "k-1", service.port())), wallets(service));

    // Later and one by one: always the stored response, with its headers.
    RawResponse first = post(client, TRAVEL, "k-2").send();
    RawResponse again = post(client, TRAVEL, "k-2", now().minusSeconds(7)).send();
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.header("location")).isEqualTo(first.header("location")).isNotEmpty();
    assertThat(again.header("content-type")).isEqualTo(first.header("content-type"));
    assertThat(again.header("idempotency-replayed")).isEqualTo("true");
    assertThat(first.header("idempotency-replayed")).isEmpty();
    assertThat(wallets(service)).isEqualTo(2);
  }

  @Test
  void copies_spreadOverTwoNodes_areTakenOnce() throws Exception {
    TestService one = SharedNodes.first();
    TestService two = SharedNodes.second();
    one.fillWallets(0);
    TestClient client = one.register();
    awaitClient(client, two);
    RawRequest signed = client.post(WALLETS, SAVINGS);

    List<RawResponse> answers = allTaken(copies(signed, one.port(), two.port()));
    assertThat(tally(answers)).isEqualTo(Map.of("201", 1L, "401 replayed", COPIES - 1L));
    assertThat(wallets(one)).isEqualTo(1);

    assertMadeOnce(allTaken(keyed(client, "k", one.port(), two.port())), wallets(one) - 1);
  }

  @Test
  void recordedPost_afterTheClockWasAheadAndClaimsWerePurged_isRefused() {
    try (TestService service = TestService.start(folder.resolve("node"), 0, MovableClock.SETTING)) {
      assertNotReopened(service, () -> purgeAhead(service), "created_too_old");
    }
  }

  // PostgreSQL's own clock decides which claims are purged.
  @Test
  @Tag("full")
  void recordedPost_afterAnotherNodeWithAClockAheadPurged_isRefused() {
    StoreSettings settings = TestStore.POSTGRESQL.settings(folder.resolve("shared"));
    try (TestService right =
        TestService.startNode(folder.resolve("right"), settings, 0, MovableClock.SETTING)) {
      // The other node has stopped before the clock of this one is moved: with two nodes whose
      // clocks differ, neither would serve.
      assertNotReopened(
          right,
          () -> {
            try (TestService ahead =
                TestService.startNode(folder.resolve("ahead"), settings, 0, MovableClock.SETTING)) {
              purgeAhead(ahead);
            }
          },
          "replayed");
    }
  }

  private static void purgeAhead(TestService node) {
    node.part(MovableClock.class).setAhead(Duration.ofSeconds(700));
    node.part(ReplayPurge.class).run(() -> false);
  }

  private static void assertNotReopened(TestService right, Runnable purge, String reason) {
    TestClient client = right.register();
    RawRequest recorded = client.post(WALLETS, SAVINGS);
    assertThat(recorded.send().status()).isEqualTo(201);

    purge.run();
    right.part(MovableClock.class).setAhead(Duration.ofSeconds(50));
    RawResponse replay = recorded.send();
    assertThat(replay.status()).isEqualTo(401);
    assertThat(replay.reason()).isEqualTo(reason);
    assertThat(replay.json().path("check").asString()).isEqualTo("replay");
    assertThat(wallets(right)).isEqualTo(1);

    Instant later = Instant.now().plusSeconds(50);
    TestRequest post = client.signed("POST", WALLETS, TRAVEL).createdAt(later);
    for (TestRequest each : List.of(post, post.with("Idempotency-Key", "k"))) {
      RawResponse honest = each.send();
      assertThat(honest.status()).as(honest.body()).isEqualTo(201);
    }
    assertThat(wallets(right)).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("services")
  void idempotencyKey_withAnotherRequest_isAMismatch(TestService service) {
    service.fillWallets(0);
    TestClient client = service.register();
    TestClient other = service.register();
    assertThat(post(client, SAVINGS, "k").send().status()).isEqualTo(201);

    RawResponse refused = post(client, TRAVEL, "k").send();
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.reason()).isEqualTo("idempotency_mismatch");

    RawResponse made = post(other, TRAVEL, "k").send();
    assertThat(made.status()).as("another client's key").isEqualTo(201);
    assertThat(made.header("idempotency-replayed")).isEmpty();
    assertThat(wallets(service)).isEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("services")
  void refusedPosts_burnNothing(TestService service) {
    service.fillWallets(0);
    TestClient viewer = service.register("reader", "127.0.0.1", "::1");
    TestClient client = service.register();

    refusedTwice("role_missing", viewer.post(WALLETS, SAVINGS));
    refusedTwice("role_missing", post(viewer, SAVINGS, "k"));
    refusedTwice("body_invalid", client.post(WALLETS, "{\"name\":\"Savings\"}"));
    refusedTwice("body_invalid", post(client, "{\"name\":\"Savings\"}", "k"));
    refusedTwice("parameter_unknown", client.post(WALLETS + "?a=b", SAVINGS));
    refusedTwice(
        "media_type_unsupported", client.post(WALLETS, SAVINGS).with("Content-Type", "text/plain"));
    refusedTwice("method_not_allowed", client.signed("PUT", WALLETS, SAVINGS).request());
    refusedTwice("not_found", client.post("/ledger/v1/walets", SAVINGS));
    refusedTwice(
        "request_malformed",
        client.signed("POST", WALLETS, SAVINGS).with("Idempotency-Key", "a b").request());
    for (TestClient caller : List.of(viewer, client)) {
      String own = " WHERE client_id = '" + caller.clientId() + "'";
      assertThat(rows(service, "replay_claims" + own)).isZero();
      assertThat(rows(service, "idempotent_answers" + own)).isZero();
    }

    // The same bytes that were refused for their media type are accepted with the right one.
    RawRequest signed = client.post(WALLETS, SAVINGS);
    assertThat(signed.with("Content-Type", "text/plain").send().status()).isEqualTo(415);
    assertThat(signed.send().status()).isEqualTo(201);
    assertThat(post(client, SAVINGS, "k").send().status()).isEqualTo(201);
  }

  @ParameterizedTest
  @MethodSource("services")
  void postThatFailsInTheStore_burnsNothing(TestService service) {
    service.fillWallets(0);
    TestClient client = service.register();
    RawRequest plain = client.post(WALLETS, SAVINGS);
    RawRequest keyed = post(client, TRAVEL, "k");
    rename(service, "wallets", "elsewhere");
    for (RawRequest request : List.of(plain, keyed)) {
      RawResponse failed = request.send();
      assertThat(failed.reason()).isEqualTo("collection_unavailable");
    }
    rename(service, "elsewhere", "wallets");
    assertThat(plain.send().status()).isEqualTo(201);
    assertThat(keyed.send().status()).isEqualTo(201);
    assertThat(wallets(service)).isEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("services")
  void nonce_sentTwice_isAReplayForAGetToo(TestService service) throws Exception {
    service.fillWallets(0);
    TestClient client = service.register();
    boolean hasPage = false;
    for (int trial = 1; !hasPage; trial++) {
      RawRequest get = withNonce(client, "n-" + trial);
      Map<String, Long> answers = tally(atOnce(copies(get, service.port())));
      long pages = answers.getOrDefault("200", 0L);
      long replays = answers.getOrDefault("401 replayed", 0L);
      long refused = answers.getOrDefault("503 overloaded", 0L);
      assertThat(pages + replays + refused).as("%s", answers).isEqualTo(COPIES);
      assertThat(pages).as("%s", answers).isLessThanOrEqualTo(1);
      // A busy store may refuse the page of the copy whose nonce was accepted.
      hasPage = pages == 1;
      if (hasPage) {
        assertThat(get.send().reason()).isEqualTo("replayed");
      }
      assertThat(hasPage || refused > 0).as("%s", answers).isTrue();
      assertThat(trial).isLessThan(20);
    }

    RawRequest plain = client.get(WALLETS);
    assertThat(plain.send().status()).isEqualTo(200);
    assertThat(plain.send().status()).as("a GET without nonce may repeat").isEqualTo(200);
  }

  // Requests

  private TestService start(TestStore store, String node) {
    return TestService.startNode(folder.resolve(node), store.settings(folder.resolve("shared")), 0);
  }

  private static List<Callable<RawResponse>> copies(RawRequest signed, int... ports) {
    List<Callable<RawResponse>> copies = new ArrayList<>();
    for (int i = 0; i < COPIES; i++) {
      int port = ports[i % ports.length];
      copies.add(() -> RawRequest.send(port, signed.text()));
    }
    return copies;
  }

  private static List<Callable<RawResponse>> keyed(TestClient client, String key, int... ports) {
    List<Callable<RawResponse>> copies = new ArrayList<>();
    // The clock is read once, so that each copy is signed in another second.
    Instant now = now();
    for (int i = 0; i < COPIES; i++) {
      int port = ports[i % ports.length];
      RawRequest request = post(client, SAVINGS, key, now.minusSeconds(i));
      copies.add(() -> RawRequest.send(port, request.text()));
    }
    return copies;
  }

  private static RawRequest post(TestClient client, String body, String key) {
    return post(client, body, key, now());
  }

  private static RawRequest post(TestClient client, String body, String key, Instant created) {
    return client
        .signed("POST", WALLETS, body)
        .with("Idempotency-Key", key)
        .createdAt(created)
        .request();
  }

  private static RawRequest withNonce(TestClient client, String nonce) {
    return client.signed("GET", WALLETS).withMore(";nonce=\"" + nonce + "\"").request();
  }

  private static Instant now() {
    return Instant.now();
  }

  /**
   * Sends all of them as concurrently as possible. A client that sends more than the service can
   * take at once receives 503 for some of them, which have then changed nothing. Those are sent
   * again.
   */
  static List<RawResponse> allTaken(Collection<Callable<RawResponse>> calls) throws Exception {
    return atOnce(
        calls.stream().<Callable<RawResponse>>map(call -> () -> untilTaken(call)).toList());
  }

  /** Sends all of them as concurrently as possible. */
  static List<RawResponse> atOnce(Collection<Callable<RawResponse>> calls) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    List<Future<RawResponse>> sent = new ArrayList<>();
    try (TestThreads threads = TestThreads.of(Executors.newVirtualThreadPerTaskExecutor())) {
      for (Callable<RawResponse> call : calls) {
        sent.add(
            threads.submit(
                () -> {
                  Waits.forLatch(go);
                  return call.call();
                }));
      }
      go.countDown();
      List<RawResponse> answers = new ArrayList<>();
      for (Future<RawResponse> answer : sent) {
        answers.add(Waits.forResult(answer));
      }
      return answers;
    }
  }

  private static RawResponse untilTaken(Callable<RawResponse> call) throws Exception {
    long start = System.nanoTime();
    RawResponse answer = call.call();
    while (isOverloaded(answer) && System.nanoTime() - start < Waits.LIMIT.toNanos()) {
      Thread.sleep(100);
      answer = call.call();
    }
    return answer;
  }

  private static boolean isOverloaded(RawResponse answer) {
    return answer.status() == 503 && answer.reason().equals("overloaded");
  }

  /** Waits until another node than the client's own has read it. */
  static void awaitClient(TestClient client, TestService node) {
    Awaitility.await()
        .until(() -> RawRequest.send(node.port(), client.get(WALLETS).text()).status() == 200);
  }

  // Responses

  private static void assertMadeOnce(List<RawResponse> answers, long wallets) {
    List<RawResponse> made = answers.stream().filter(a -> a.status() == 201).toList();
    List<RawResponse> others = answers.stream().filter(a -> a.status() != 201).toList();
    assertThat(others).allSatisfy(a -> assertThat(a.reason()).isEqualTo("in_progress"));
    assertThat(others).allSatisfy(a -> assertThat(a.status()).isEqualTo(409));
    assertThat(others).allSatisfy(a -> assertThat(a.header("retry-after")).isEqualTo("1"));
    assertThat(made.stream().map(RawResponse::body).distinct()).hasSize(1);
    assertThat(made.stream().filter(a -> a.header("idempotency-replayed").isEmpty())).hasSize(1);
    assertThat(wallets).isEqualTo(1);
  }

  private static Map<String, Long> tally(List<RawResponse> answers) {
    return answers.stream()
        .collect(
            Collectors.groupingBy(
                a -> a.status() + (a.status() < 400 ? "" : " " + a.reason()),
                Collectors.counting()));
  }

  private static void refusedTwice(String reason, RawRequest request) {
    assertThat(request.send().reason()).isEqualTo(reason);
    assertThat(request.send().reason()).as("the same bytes again").isEqualTo(reason);
  }

  private static long wallets(TestService service) {
    return rows(service, "wallets");
  }

  private static long rows(TestService service, String table) {
    return service
        .part(Database.class)
        .read(sql -> sql.sql("SELECT count(*) FROM " + table).query(Long.class).single());
  }

  private static void rename(TestService service, String from, String to) {
    service
        .part(Database.class)
        .write(sql -> sql.sql("ALTER TABLE " + from + " RENAME TO " + to).update());
  }
}
