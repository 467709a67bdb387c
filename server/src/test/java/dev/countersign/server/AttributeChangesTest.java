package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.clients.ClientRegistry;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.commands.CommandResult;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.Waits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A running service applies changes of attributes that others make, without a restart. */
class AttributeChangesTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String ATTRIBUTE = "customerId";
  private static final int TRIALS = 50;

  private static final String[] SCOPED_BY_CURRENCY = {
    TestService.READING,
    "countersign.attributes.currency.type=text",
    "countersign.listings[0].path=/ledger/v1/wallets",
    "countersign.listings[0].table=wallets",
    "countersign.listings[0].key=id",
    "countersign.listings[0].fields.id.type=uuid",
    "countersign.listings[0].fields.currencyCode.type=text",
    "countersign.listings[0].fields.currencyCode.column=currency_code",
    "countersign.listings[0].scope.currencyCode=currency"
  };

  @TempDir private Path folder;

  @Test
  void changesByCommand_areSeenByARunningService() throws Exception {
    Path data = folder.resolve("data");
    OperatorShell operatorShell = new OperatorShell(folder, data);
    Path configuration =
        Files.writeString(
            folder.resolve("countersign.yaml"),
            "countersign: { attributes: { customerId: { type: text, many: true } } }");
    try (TestService service =
        TestService.start(
            data,
            1,
            "countersign.attributes.customerId.type=text",
            "countersign.attributes.customerId.many=true")) {
      String id = operatorShell.add(TestService.KEYS);
      String[] update = {"update", id, "--config", configuration.toString()};
      change(operatorShell, update, "--attribute=customerId=4711", "--attribute=customerId=4712");
      await(service, id, Optional.of(new AttributeValue.Values(List.of("4711", "4712"))));
      change(operatorShell, update, "--attribute=customerId=*");
      await(service, id, Optional.of(AttributeValue.EVERYTHING));
      change(operatorShell, update, "--attribute=customerId=4711");
      await(service, id, Optional.of(new AttributeValue.Values(List.of("4711"))));
      change(operatorShell, update, "--no-attribute=customerId");
      await(service, id, Optional.empty());
    }
  }

  private static void change(OperatorShell operatorShell, String[] update, String... attributes) {
    CommandResult printed =
        operatorShell.clients(
            Stream.of(update, attributes).flatMap(Arrays::stream).toArray(String[]::new));
    assertThat(printed.exitCode()).as(printed.err()).isZero();
  }

  /** Prints how long the changes took, which depends on the machine. */
  @Test
  @Tag("full")
  void changesOnOneNode_narrowTheListOfTheOtherWithinTwoRounds() throws Exception {
    StoreSettings store = TestStore.POSTGRESQL.settings(folder);
    try (TestService one =
            TestService.startNode(folder.resolve("one"), store, 60, SCOPED_BY_CURRENCY);
        TestService two =
            TestService.startNode(folder.resolve("two"), store, 60, SCOPED_BY_CURRENCY)) {
      TestClient here = one.register("reader", "127.0.0.1");
      TestClient there = two.client(here.clientId(), here.privateKey());
      ClientStore clients = one.part(ClientStore.class);
      clients.update(here.clientId(), setting(AttributeSetting.of(List.of("EUR"))));
      Awaitility.await().until(() -> there.get(WALLETS).send().status() == 200);
      NodeFitness rounds = two.part(NodeFitness.class);
      List<Duration> times = new ArrayList<>();
      for (int trial = 0; trial < TRIALS; trial++) {
        String currency = trial % 2 == 0 ? "USD" : "EUR";
        clients.update(here.clientId(), setting(AttributeSetting.of(List.of(currency))));
        times.add(untilOnly(currency, there, rounds));
      }
      clients.update(
          here.clientId(), new ClientUpdate(null, null, null, Map.of(), Set.of("currency"), null));
      times.add(untilOnly("scope_missing", there, rounds));
      times.sort(null);
      System.out.printf(
          Locale.ROOT,
          "%d changes of an attribute: median %d ms, slowest %d ms until the other node applied"
              + " it%n",
          times.size(),
          times.get(TRIALS / 2).toMillis(),
          times.getLast().toMillis());
    }
  }

  private static ClientUpdate setting(AttributeSetting setting) {
    return new ClientUpdate(null, null, null, Map.of("currency", setting), Set.of(), null);
  }

  /**
   * Calls until the page has only records of this currency; a page never has two currencies. The
   * change is made, and may have missed the round that the registry was in. It is in effect at the
   * latest when the next round has ended.
   */
  private static Duration untilOnly(String expected, TestClient client, NodeFitness rounds)
      throws InterruptedException {
    long changedAt = rounds.now();
    Set<Long> ended = new HashSet<>(Set.of(rounds.asOf()));
    boolean hasEnded = false;
    String seen = "";
    while (!seen.equals(expected)) {
      assertThat(hasEnded).as("a round that began after the change has ended").isFalse();
      assertThat(Duration.ofNanos(rounds.now() - changedAt)).isLessThan(Waits.LIMIT);
      Thread.sleep(2);
      long lastRound = rounds.asOf();
      ended.add(lastRound);
      hasEnded = lastRound - changedAt >= 0;
      seen = seen(client);
      assertThat(seen).isIn("EUR", "USD", "scope_missing");
    }
    assertThat(ended).as("the round before the change, and two more").hasSizeLessThanOrEqualTo(3);
    return Duration.ofNanos(rounds.now() - changedAt);
  }

  private static String seen(TestClient client) {
    RawResponse response = client.get(WALLETS + "?size=100").send();
    return response.status() == 200
        ? response
            .json()
            .get("content")
            .valueStream()
            .map(AttributeChangesTest::code)
            .distinct()
            .collect(Collectors.joining(", "))
        : response.reason();
  }

  private static String code(JsonNode record) {
    return record.get("currencyCode").asString();
  }

  private static void await(TestService service, String id, Optional<AttributeValue> expected) {
    Awaitility.await().untilAsserted(() -> assertThat(attribute(service, id)).isEqualTo(expected));
  }

  private static Optional<AttributeValue> attribute(TestService service, String id) {
    return service
        .part(ClientRegistry.class)
        .find(id)
        .map(client -> client.attributes().get(ATTRIBUTE));
  }
}
