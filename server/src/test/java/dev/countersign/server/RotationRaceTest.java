package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One of several concurrent rotations succeeds, on one node and on two. */
class RotationRaceTest {
  private static final int CALLS = 8;

  /** On SQLite and on PostgreSQL. */
  static Stream<TestService> services() {
    return Stream.of(SharedNodes.alone(), SharedNodes.first());
  }

  @ParameterizedTest
  @MethodSource("services")
  void rotations_toDifferentKeys_oneWinsAndTheOthersWait(TestService service) throws Exception {
    TestClient client = service.register();

    assertThat(tally(ReplayTest.allTaken(differentKeys(client, service))))
        .isEqualTo(Map.of("201", 1L, "409 rotation_pending", CALLS - 1L));
    assertThat(liveKeys(service, client)).isEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("services")
  void rotations_toOneKey_oneAddsItAndTheOthersAreToldSo(TestService service) throws Exception {
    TestClient client = service.register();

    List<RawResponse> answers = ReplayTest.allTaken(oneKey(client, service));

    assertThat(tally(answers)).isEqualTo(Map.of("201", 1L, "200", CALLS - 1L));
    assertThat(answers.stream().map(RawResponse::body).distinct()).hasSize(1);
    assertThat(liveKeys(service, client)).isEqualTo(2);
  }

  @Test
  void rotations_onTwoNodes_oneWins() throws Exception {
    TestService one = SharedNodes.first();
    TestService two = SharedNodes.second();
    TestClient client = one.register();
    ReplayTest.awaitClient(client, two);

    List<RawResponse> answers = ReplayTest.allTaken(differentKeys(client, one, two));

    assertThat(tally(answers)).isEqualTo(Map.of("201", 1L, "409 rotation_pending", CALLS - 1L));
    assertThat(liveKeys(two, client)).isEqualTo(2);
  }

  /** All changes to clients wait for each other, and a client can ask as often as it likes. */
  @Test
  void refusedRotation_doesNotWaitForOtherChanges() {
    TestService node = SharedNodes.first();
    TestClient client = node.register();
    assertThat(SignedRotation.of(client, TestService.newKeyPair(), 600).send().status())
        .isEqualTo(201);
    String reason =
        node.part(Database.class)
            .write(
                sql -> {
                  sql.sql("UPDATE client_revision SET value = value").update();
                  return SignedRotation.of(client, TestService.newKeyPair(), 60).send().reason();
                });
    assertThat(reason).isEqualTo("rotation_pending");
  }

  /** A refused rotation consumes its signature, and not its Idempotency-Key. */
  @Test
  void pendingRotation_afterARestart_isSpentOnEveryNode_andItsKeyIsFree(@TempDir Path folder) {
    KeyPair first = TestService.newKeyPair();
    KeyPair next = TestService.newKeyPair();
    TestClient client;
    RawRequest recorded;
    try (TestService node = onPostgresql(folder, "one")) {
      client = node.register();
      assertThat(SignedRotation.of(client, first, 600).send().status()).isEqualTo(201);
      SignedRotation.age(node, client, Duration.ofMinutes(1));
      recorded = SignedRotation.keyed(client, next, Instant.now());
      assertThat(recorded.send().reason()).isEqualTo("rotation_pending");
    }
    try (TestService restarted = onPostgresql(folder, "one");
        TestService other = onPostgresql(folder, "two")) {
      ClientStore clients = other.part(ClientStore.class);
      clients.removeKey(client.clientId(), SignedRotation.fingerprint(first));
      assertThat(sendTo(other, recorded).reason()).isEqualTo("replayed");
      RawResponse anew =
          sendTo(other, SignedRotation.keyed(client, next, Instant.now().plusSeconds(3)));
      assertThat(anew.status()).as(anew.body()).isEqualTo(201);
      assertThat(sendTo(restarted, recorded).reason()).isEqualTo("replayed");
      RawResponse again =
          sendTo(restarted, SignedRotation.keyed(client, next, Instant.now().plusSeconds(4)));
      assertThat(again.header("idempotency-replayed")).as(again.body()).isEqualTo("true");
      assertThat(liveKeys(restarted, client)).isEqualTo(2);
    }
  }

  private static TestService onPostgresql(Path folder, String node) {
    StoreSettings store = TestStore.POSTGRESQL.settings(folder);
    return TestService.startNode(folder.resolve(node), store, 0, TestService.ROTATING);
  }

  private static RawResponse sendTo(TestService node, RawRequest request) {
    return RawRequest.send(node.port(), request.text());
  }

  private static List<Callable<RawResponse>> differentKeys(
      TestClient client, TestService... nodes) {
    List<Callable<RawResponse>> calls = new ArrayList<>();
    Instant now = Instant.now();
    for (int i = 0; i < CALLS; i++) {
      KeyPair next = TestService.newKeyPair();
      calls.add(call(client, next, now.minusSeconds(i), nodes[i % nodes.length]));
    }
    return calls;
  }

  private static List<Callable<RawResponse>> oneKey(TestClient client, TestService node) {
    KeyPair next = TestService.newKeyPair();
    List<Callable<RawResponse>> calls = new ArrayList<>();
    // The clock is read once: equal requests, signed in one second, would be replays.
    Instant now = Instant.now();
    for (int i = 0; i < CALLS; i++) {
      calls.add(call(client, next, now.minusSeconds(i), node));
    }
    return calls;
  }

  private static Callable<RawResponse> call(
      TestClient client, KeyPair next, Instant created, TestService node) {
    RawRequest request =
        SignedRotation.of(client, next, SignedRotation.body(next, 600), created).request();
    return () -> RawRequest.send(node.port(), request.text());
  }

  private static Map<String, Long> tally(List<RawResponse> answers) {
    return answers.stream()
        .collect(
            Collectors.groupingBy(
                a -> a.status() + (a.status() < 400 ? "" : " " + a.reason()),
                Collectors.counting()));
  }

  private static int liveKeys(TestService service, TestClient client) {
    return service.part(ClientStore.class).get(client.clientId()).liveKeys(Instant.now()).size();
  }
}
