package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Of several rotations at once one wins, on one node and on two. */
class RotationRaceTest {
  private static final int CALLS = 8;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void rotations_toDifferentKeys_oneWinsAndTheOthersWait(TestStore store) throws Exception {
    try (TestService service = start(store, "one")) {
      TestClient client = service.registerRotating();
      assertThat(tally(ReplayTest.atOnce(differentKeys(client, service))))
          .isEqualTo(Map.of("201", 1L, "409 rotation_pending", CALLS - 1L));
      assertThat(liveKeys(service, client)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void rotations_toOneKey_oneAddsItAndTheOthersAreToldSo(TestStore store) throws Exception {
    try (TestService service = start(store, "one")) {
      TestClient client = service.registerRotating();
      List<RawResponse> answers = ReplayTest.atOnce(oneKey(client, service));

      assertThat(tally(answers)).isEqualTo(Map.of("201", 1L, "200", CALLS - 1L));
      assertThat(answers.stream().map(RawResponse::body).distinct()).hasSize(1);
      assertThat(liveKeys(service, client)).isEqualTo(2);
    }
  }

  @Test
  void rotations_onTwoNodes_oneWins() throws Exception {
    try (TestService one = start(TestStore.POSTGRESQL, "one");
        TestService two = start(TestStore.POSTGRESQL, "two")) {
      TestClient client = one.registerRotating();
      awaitClient(client, two);

      List<RawResponse> answers = ReplayTest.atOnce(differentKeys(client, one, two));

      assertThat(tally(answers)).isEqualTo(Map.of("201", 1L, "409 rotation_pending", CALLS - 1L));
      assertThat(liveKeys(two, client)).isEqualTo(2);
    }
  }

  private TestService start(TestStore store, String node) {
    StoreSettings settings = store.settings(folder.resolve("shared"));
    if (settings.url() == null) {
      return TestService.start(folder.resolve(node), 0, TestService.ROTATING);
    }
    return TestService.start(
        folder.resolve(node),
        0,
        TestService.ROTATING,
        "spring.datasource.url=" + settings.url(),
        "spring.datasource.username=" + settings.user());
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
    // One reading of the clock: equal requests, signed in one second, would be replays.
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

  private static void awaitClient(TestClient client, TestService node) throws Exception {
    String request = client.get("/ledger/v1/wallets").text();
    int status = RawRequest.send(node.port(), request).status();
    for (int i = 0; i < 600 && status != 200; i++) {
      Thread.sleep(100);
      status = RawRequest.send(node.port(), request).status();
    }
    assertThat(status).isEqualTo(200);
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
