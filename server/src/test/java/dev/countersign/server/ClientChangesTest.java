package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.clients.ClientKey;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.commands.CommandResult;
import dev.countersign.server.store.Database;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running service applies the changes that an operator makes by command, without a restart. */
class ClientChangesTest {
  private static final String WALLETS = "/ledger/v1/wallets";

  @TempDir private Path folder;

  @Test
  void changesByCommand_areSeenByARunningService() throws Exception {
    Path data = folder.resolve("data");
    OperatorShell operatorShell = new OperatorShell(folder, data);
    KeyPair old = TestService.KEYS;
    KeyPair fresh = TestService.newKeyPair();
    try (TestService service = TestService.start(data, 1)) {
      String id = operatorShell.add(old);
      TestClient client = new TestClient(service.port(), id, old.getPrivate());
      TestClient rotated = new TestClient(service.port(), id, fresh.getPrivate());
      assertSoon(client, "200");

      change(operatorShell, "disable", id);
      assertSoon(client, "401 client_disabled");
      change(operatorShell, "enable", id);
      assertSoon(client, "200");
      change(operatorShell, "update", id, "--allow", "192.0.2.1");
      assertSoon(client, "403 address_not_allowed");
      change(operatorShell, "update", id, "--allow", "0.0.0.0");
      assertSoon(client, "200");

      assertSoon(rotated, "401 signature_mismatch");
      change(operatorShell, "add-key", id, "--public-key", operatorShell.pem(fresh).toString());
      assertSoon(rotated, "200");
      assertSoon(client, "200");

      String fingerprint =
          operatorShell
              .clients("show", id)
              .out()
              .replaceAll("(?s).*?(SHA256:[A-Za-z0-9+/]+).*", "$1");
      change(operatorShell, "remove-key", id, fingerprint);
      assertSoon(client, "401 signature_mismatch");
      assertSoon(rotated, "200");

      change(operatorShell, "remove", id, "--yes");
      assertSoon(rotated, "401 client_unknown");
    }
  }

  @Test
  @Tag("full")
  void rotation_withAnEnd_endsTheOldKeyByTheClockAlone() throws Exception {
    Path data = folder.resolve("data");
    OperatorShell operatorShell = new OperatorShell(folder, data);
    KeyPair fresh = TestService.newKeyPair();
    try (TestService service = TestService.start(data, 1)) {
      String id = operatorShell.add(TestService.KEYS);
      TestClient client = new TestClient(service.port(), id, TestService.KEYS.getPrivate());
      assertSoon(client, "200");
      CommandResult help = operatorShell.clients("add-key", "--help");
      assertThat(help.out()).contains("--end-others");
      change(
          operatorShell,
          "add-key",
          id,
          "--public-key",
          operatorShell.pem(fresh).toString(),
          "--end-others",
          "8s");
      TestClient rotated = new TestClient(service.port(), id, fresh.getPrivate());
      assertSoon(rotated, "200");
      String answer = call(client);
      // If the machine took longer than the old key lived, there is nothing to assert.
      if (Instant.now().isBefore(oldKeysEnd(service, id))) {
        assertThat(answer).isEqualTo("200");
      }
      assertSoon(client, "401 signature_mismatch");
      assertThat(call(rotated)).isEqualTo("200");
    }
  }

  @Test
  @Tag("full")
  void add_besideARunningService_printsTheClientIdAloneFirst() throws Exception {
    Path data = folder.resolve("data");
    try (CommandProcess service = CommandProcess.serve(folder, data);
        CommandProcess add =
            CommandProcess.start(
                folder,
                "clients",
                "add",
                "--data",
                data.toString(),
                "--name",
                "Acme",
                "--public-key",
                new OperatorShell(folder, data).pem(TestService.KEYS).toString(),
                "--allow",
                "127.0.0.1,::1",
                "--role",
                "ledger-viewer")) {
      assertThat(add.exitCode()).as(add.err()).isZero();
      assertThat(add.err()).isEmpty();
      assertThat(add.out().lines().findFirst().orElseThrow()).matches("cl-[0-9a-z]{18}");
      assertThat(add.out()).doesNotContain("INFO", "WARN", "Spring");
      String id = add.out().lines().findFirst().orElseThrow();
      assertSoon(new TestClient(service.port(), id, TestService.KEYS.getPrivate()), "200");
    }
  }

  /** A write reads the record again, which has the revision that the service has in memory. */
  @Test
  void recordDamagedByHand_refusesTheWriteAsDisabled() throws Exception {
    TestService service = TestService.shared();
    TestClient client = service.register();
    setWhitelist(service, client, "nobody");
    try {
      for (int i = 0; i < 2; i++) {
        assertThat(client.post(WALLETS, "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}").send())
            .satisfies(answer -> assertThat(answer.status()).as(answer.body()).isEqualTo(401))
            .satisfies(answer -> assertThat(answer.reason()).isEqualTo("client_disabled"));
      }
    } finally {
      // Other tests share this service.
      setWhitelist(service, client, "127.0.0.1,::1");
    }
  }

  private static void setWhitelist(TestService service, TestClient client, String entries) {
    service
        .part(Database.class)
        .write(
            sql ->
                sql.sql("UPDATE clients SET whitelist = ? WHERE client_id = ?")
                    .param(entries)
                    .param(client.clientId())
                    .update());
  }

  private static void change(OperatorShell operatorShell, String... arguments) {
    CommandResult printed = operatorShell.clients(arguments);
    assertThat(printed.exitCode()).as(printed.err()).isZero();
  }

  private static Instant oldKeysEnd(TestService service, String id) {
    return service.part(ClientStore.class).get(id).keys().stream()
        .map(ClientKey::endsAt)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  private static void assertSoon(TestClient client, String expected) {
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .untilAsserted(() -> assertThat(call(client)).isEqualTo(expected));
  }

  private static String call(TestClient client) {
    RawResponse response = client.get(WALLETS).send();
    return response.status() + (response.status() < 400 ? "" : " " + response.reason());
  }
}
