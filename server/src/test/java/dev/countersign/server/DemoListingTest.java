package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.app.RunningService;
import dev.countersign.server.app.ServeOptions;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.NewClient;
import dev.countersign.server.commands.CommandResult;
import dev.countersign.server.config.Configuration;
import dev.countersign.server.demo.TransactionSeed;
import dev.countersign.server.demo.WalletSeed;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.ToIntFunction;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

/** The list of transactions that {@code serve --demo} adds. */
@ExtendWith(OutputCaptureExtension.class)
class DemoListingTest {
  private static final String TRANSACTIONS = "/ledger/v1/transactions";

  @TempDir private Path folder;

  @Test
  void transactions_ofTwoClients_areThoseOfTheirCustomers(CapturedOutput output) {
    try (RunningService service = serve(TestStore.SQLITE, options().withDemo())) {
      TestService demo = new TestService(service);
      TestClient first = register(demo, "cust-1001");
      TestClient second = register(demo, "cust-1002");

      assertThat(total(first, "")).isEqualTo(1262);
      assertThat(total(second, "")).isEqualTo(993);
      JsonNode page = page(first, "?status=DISPUTED&amount.gte=100&sort=amount,desc&size=100");
      assertThat(page.path("totalElements").asInt()).isEqualTo(44);
      for (JsonNode transaction : page.path("content")) {
        assertThat(transaction.propertyNames())
            .containsExactly(
                "id", "walletId", "customerId", "amount", "currencyCode", "status", "bookedAt");
        assertThat(transaction.path("customerId").asString()).isEqualTo("cust-1001");
        String wallet = "/ledger/v1/wallets/" + transaction.path("walletId").asString();
        assertThat(first.get(wallet).send().json().path("currencyCode"))
            .isEqualTo(transaction.path("currencyCode"));
      }

      TestClient without = demo.register();
      assertThat(without.get(TRANSACTIONS).send().reason()).isEqualTo("scope_missing");
      assertThat(without.get("/ledger/v1/wallets").send().json().path("totalElements").asInt())
          .isEqualTo(250);
    }
    assertThat(output.getAll())
        .contains("signatures are verified")
        .doesNotContain("no index serves");
  }

  @ParameterizedTest
  @EnumSource
  @Tag("full")
  void transactions_ofADatabaseWithWallets_areCreatedOnce(TestStore store, CapturedOutput output) {
    serve(store, options(250)).close();
    List<Integer> totals = new ArrayList<>();
    for (int start = 0; start < 2; start++) {
      try (RunningService service = serve(store, options().withDemo())) {
        totals.add(total(register(new TestService(service), "cust-1001"), ""));
      }
    }
    assertThat(totals).containsExactly(1262, 1262);
    try (RunningService service = serve(store, options())) {
      TestClient client = new TestService(service).register();
      assertThat(client.get(TRANSACTIONS).send().status()).isEqualTo(404);
      assertThat(TransactionSeed.isIn(service.part(Database.class))).isTrue();
    }
    assertThat(output.getAll()).doesNotContain("no index serves");
  }

  @Test
  void seeds_ofTwoNodesThatStartTogether_createEachRecordOnce() throws Exception {
    List<Integer> tables =
        onTwoNodes(
            "CREATE TABLE demo_transactions (id integer)",
            node -> {
              new TransactionSeed(node).createTable();
              return 1;
            });
    assertThat(tables).containsExactly(1, 1);
    assertThat(
            onTwoNodes("LOCK TABLE wallets IN SHARE MODE", node -> new WalletSeed(node).fill(250)))
        .containsExactlyInAnyOrder(250, 0);
    assertThat(
            onTwoNodes(
                "LOCK TABLE demo_transactions IN SHARE MODE",
                node -> new TransactionSeed(node).fill(3_000)))
        .containsExactlyInAnyOrder(3_000, 0);
  }

  /**
   * Runs a seed on two nodes. A transaction holds up both, so that each has looked for the records
   * before the other one can create them. Then it rolls back.
   */
  private List<Integer> onTwoNodes(String obstacle, ToIntFunction<Database> seed) throws Exception {
    List<Future<Integer>> results = new ArrayList<>();
    try (Database holder = TestStore.POSTGRESQL.open(folder, Waits.LIMIT);
        TestThreads threads = TestThreads.of(2)) {
      assertThatThrownBy(
              () ->
                  holder.write(
                      sql -> {
                        sql.sql(obstacle).update();
                        for (int node = 0; node < 2; node++) {
                          results.add(threads.submit(() -> onNewNode(seed)));
                        }
                        Awaitility.await().until(() -> waiting(holder) >= 2);
                        throw new IllegalStateException("rolled back");
                      }))
          .hasMessage("rolled back");
      return List.of(Waits.forResult(results.getFirst()), Waits.forResult(results.getLast()));
    }
  }

  private int onNewNode(ToIntFunction<Database> seed) {
    try (Database node = Database.openForStart(TestStore.POSTGRESQL.settings(folder))) {
      return seed.applyAsInt(node);
    }
  }

  /** The number of sessions that wait for a lock. */
  private static int waiting(Database database) {
    return database.read(
        sql ->
            sql.sql(
                    """
                    SELECT count(*) FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock'
                    """)
                .query(Integer.class)
                .single());
  }

  @Test
  void commands_besideTheDemo_knowItsAttribute() {
    OperatorShell shell = new OperatorShell(folder, folder.resolve("data"));
    String[] add = {
      "add",
      "--name=Acme",
      "--allow=127.0.0.1,::1",
      "--role=ledger-operator",
      "--public-key=" + shell.pem(TestService.KEYS),
      "--attribute=customerId=cust-1001"
    };
    serve(TestStore.SQLITE, options()).close();
    assertThat(shell.clients(add).err()).contains("there is no attribute \"customerId\"");
    try (RunningService service = serve(TestStore.SQLITE, options().withDemo())) {
      CommandResult with = shell.clients(add);
      assertThat(with.err()).isEmpty();
      assertThat(with.out()).contains("attribute  customerId: cust-1001");
      TestService demo = new TestService(service);
      demo.awaitClients();
      TestClient client = demo.client(with.firstLine(), TestService.KEYS.getPrivate());
      assertThat(total(client, "")).isEqualTo(1262);

      add[4] = "--public-key=" + shell.pem(TestService.newKeyPair());
      CommandResult without = shell.clients(List.of(add).subList(0, 5).toArray(String[]::new));
      assertThat(without.exitCode()).isZero();
      assertThat(without.err())
          .isEqualTo(
              String.format(
                  Locale.ROOT,
                  "countersign: warning: %s sees nothing of %s: no customerId%n",
                  without.firstLine(),
                  TRANSACTIONS));
    }
  }

  private ServeOptions options() {
    return options(0);
  }

  private ServeOptions options(int wallets) {
    return new ServeOptions(folder.resolve("data"), wallets);
  }

  private RunningService serve(TestStore store, ServeOptions options) {
    List<String> settings = new ArrayList<>(TestService.settingsOf(store.settings(folder)));
    settings.add("server.port=0");
    return RunningService.start(options, Path.of(Configuration.DEFAULT_FILE), settings);
  }

  private static TestClient register(TestService service, String customer) {
    KeyPair keys = TestService.newKeyPair();
    NewClient client =
        new NewClient(
            customer,
            List.of("127.0.0.1", "::1"),
            List.of("ledger-viewer"),
            Map.of("customerId", AttributeSetting.of(List.of(customer))),
            (RSAPublicKey) keys.getPublic(),
            null);
    String clientId = service.part(ClientStore.class).add(client).clientId();
    service.awaitClients();
    return service.client(clientId, keys.getPrivate());
  }

  private static int total(TestClient client, String query) {
    return page(client, query).path("totalElements").asInt();
  }

  private static JsonNode page(TestClient client, String query) {
    RawResponse page = client.get(TRANSACTIONS + query).send();
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    return page.json();
  }
}
