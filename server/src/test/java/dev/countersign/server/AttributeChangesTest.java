package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.clients.ClientRegistry;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A running service applies changes of attributes that others make, without a restart. */
class AttributeChangesTest {
  private static final String ATTRIBUTE = "customerId";
  private static final int TRIALS = 50;
  private static final Duration SOON = Duration.ofSeconds(60);

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
    OperatorShell.Printed printed =
        operatorShell.clients(
            Stream.of(update, attributes).flatMap(Arrays::stream).toArray(String[]::new));
    assertThat(printed.exitCode()).as(printed.err()).isZero();
  }

  /** Prints how long the slowest change took. On a busy machine, one of them may take longer. */
  @Test
  @Tag("full")
  void changesOnOneNode_narrowTheListOfTheOtherWithinASecond() {
    String[] settings = scopedByCurrency();
    try (TestService one = TestService.start(folder.resolve("one"), 60, settings);
        TestService two = TestService.start(folder.resolve("two"), 60, settings)) {
      TestClient here = one.register("reader", "127.0.0.1");
      TestClient there = two.client(here.clientId(), here.privateKey());
      ClientStore clients = one.part(ClientStore.class);
      clients.update(here.clientId(), setting(AttributeSetting.of(List.of("EUR"))));
      untilKnown(there);
      List<Duration> times = new ArrayList<>();
      for (int trial = 0; trial < TRIALS; trial++) {
        String currency = trial % 2 == 0 ? "USD" : "EUR";
        clients.update(here.clientId(), setting(AttributeSetting.of(List.of(currency))));
        times.add(untilOnly(currency, there));
      }
      clients.update(
          here.clientId(), new ClientUpdate(null, null, null, Map.of(), Set.of("currency"), null));
      times.add(untilOnly("scope_missing", there));
      times.sort(null);
      System.out.printf(
          "%d changes of an attribute: median %d ms, slowest %d ms until the other node applied"
              + " it%n",
          times.size(), times.get(TRIALS / 2).toMillis(), times.getLast().toMillis());
      assertThat(times.get(TRIALS / 2)).isLessThan(Duration.ofSeconds(1));
    }
  }

  private String[] scopedByCurrency() {
    StoreSettings store = TestStore.POSTGRESQL.settings(folder);
    return new String[] {
      "spring.datasource.url=" + store.url(),
      "spring.datasource.username=" + store.user(),
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
  }

  private static ClientUpdate setting(AttributeSetting setting) {
    return new ClientUpdate(null, null, null, Map.of("currency", setting), Set.of(), null);
  }

  private static void untilKnown(TestClient client) {
    long deadline = System.nanoTime() + SOON.toNanos();
    boolean isKnown = false;
    while (!isKnown && System.nanoTime() < deadline) {
      isKnown = client.get("/ledger/v1/wallets").send().status() == 200;
    }
    assertThat(isKnown).isTrue();
  }

  /** Calls until the page has only records of this currency; a page never has two currencies. */
  private static Duration untilOnly(String expected, TestClient client) {
    long start = System.nanoTime();
    String seen = "";
    while (!seen.equals(expected) && System.nanoTime() - start < SOON.toNanos()) {
      RawResponse response = client.get("/ledger/v1/wallets?size=100").send();
      seen =
          response.status() == 200
              ? String.join(
                  ", ",
                  response
                      .json()
                      .get("content")
                      .valueStream()
                      .map(AttributeChangesTest::code)
                      .collect(Collectors.toSet()))
              : response.reason();
      assertThat(seen).isIn("EUR", "USD", "scope_missing");
    }
    assertThat(seen).isEqualTo(expected);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static String code(JsonNode record) {
    return record.get("currencyCode").asString();
  }

  private static void await(TestService service, String id, Optional<AttributeValue> expected)
      throws InterruptedException {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (!attribute(service, id).equals(expected) && System.nanoTime() < deadline) {
      Thread.sleep(2);
    }
    assertThat(attribute(service, id)).isEqualTo(expected);
  }

  private static Optional<AttributeValue> attribute(TestService service, String id) {
    return service
        .part(ClientRegistry.class)
        .find(id)
        .map(client -> client.attributes().get(ATTRIBUTE));
  }
}
