package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.server.commands.CommandResult;
import dev.countersign.server.store.Database;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A SQLite file that is moved, deleted or replaced loses no acknowledged write. */
@ExtendWith(OutputCaptureExtension.class)
class LostDatabaseTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";

  @TempDir private Path folder;

  @Test
  void file_movedAwayWhileServing_refusesWritesUntilItIsBack(CapturedOutput output)
      throws Exception {
    Path data = folder.resolve("data");
    Path file = data.resolve("countersign.db");
    Path away = folder.resolve("away.db");
    try (TestService service = TestService.start(data, 3)) {
      TestClient client = service.register();
      assertThat(client.post(WALLETS, SAVINGS).send().status()).isEqualTo(201);
      assertThat(readiness(service)).isEqualTo(200);
      Files.move(file, away);

      RawRequest refused = client.post(WALLETS, SAVINGS.replace("Savings", "Other"));
      for (int i = 0; i < 3; i++) {
        RawResponse answer = refused.send();
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(answer.reason()).isEqualTo("overloaded");
        assertThat(answer.body()).doesNotContain("countersign.db");
      }
      assertThat(client.get(WALLETS).send().status()).isEqualTo(200);
      assertThat(readiness(service)).isEqualTo(503);
      String lost = file + " was moved, deleted or replaced; all writes are refused";
      Awaitility.await().until(() -> output.getAll().contains(lost));

      // Another file in its place is not the database that the service has opened.
      Files.copy(away, file);
      assertThat(refused.send().status()).isEqualTo(503);
      assertThat(readiness(service)).isEqualTo(503);
      Files.delete(file);

      Files.move(away, file);
      assertThat(readiness(service)).isEqualTo(200);
      assertThat(refused.send().status()).as("the same request").isEqualTo(201);
      assertThat(client.get(WALLETS).send().json().path("totalElements").asInt()).isEqualTo(5);
      Awaitility.await().until(() -> output.getAll().contains("writes are accepted again"));
      assertThat(output.getAll().lines().filter(line -> line.contains(lost))).hasSize(1);
    }
  }

  @Test
  void file_deleted_isNeverReplacedByAnEmptyOne() throws Exception {
    Path data = folder.resolve("data");
    Path backup = folder.resolve("backup");
    String clientId;
    try (TestService service = TestService.start(data, 3)) {
      clientId = service.register().clientId();
      service.part(Database.class).backup(backup);
    }
    delete(data, "countersign.db");

    String missing =
        "countersign.db is missing, but countersign.db.created says that it was there: restore a"
            + " backup, or delete "
            + data.toRealPath().resolve("countersign.db.created")
            + " to begin with an empty database";
    assertThatThrownBy(() -> TestService.start(data, 3)).hasMessageContaining(missing);
    for (List<String> command :
        List.of(
            List.of("clients", "list"),
            List.of("operators", "add", "ada", "--role", "viewer"),
            List.of("backup", folder.resolve("other").toString()))) {
      CommandResult printed = run(command, data);
      assertThat(printed.exitCode()).as("%s", command).isEqualTo(1);
      assertThat(printed.err().lines()).as(printed.err()).hasSize(1);
      assertThat(printed.err()).contains(missing);
    }
    assertThat(data.resolve("countersign.db")).doesNotExist();

    Files.copy(backup.resolve("countersign.db"), data.resolve("countersign.db"));
    assertThat(run(List.of("clients", "list"), data).out()).contains(clientId);
    TestService.start(data, 3).close();

    delete(data, "countersign.db");
    Files.delete(data.resolve("countersign.db.created"));
    try (TestService service = TestService.start(data, 3)) {
      assertThat(service.firstLink()).isNotEmpty();
    }
  }

  /**
   * Another program that opened the file now would begin a second log beside that of the service.
   */
  @ParameterizedTest
  @ValueSource(strings = {"-wal", "-shm"})
  void log_deletedAlone_refusesWritesAndLosesNone(String suffix, CapturedOutput output)
      throws Exception {
    Path data = folder.resolve("data");
    Path log = data.resolve("countersign.db" + suffix);
    TestClient client;
    try (TestService service = TestService.start(data, 3)) {
      client = service.register();
      for (int i = 0; i < 5; i++) {
        String json = SAVINGS.replace("Savings", "Savings " + i);
        assertThat(client.post(WALLETS, json).send().status()).isEqualTo(201);
      }
      Files.delete(log);

      assertThat(client.post(WALLETS, SAVINGS).send().reason()).isEqualTo("overloaded");
      assertThat(client.get(WALLETS).send().json().path("totalElements").asInt()).isEqualTo(8);
      assertThat(readiness(service)).isEqualTo(503);
      String lost = log + " was moved, deleted or replaced; all writes are refused: move it back";
      Awaitility.await().until(() -> output.getAll().contains(lost));

      Files.write(log, new byte[0]);
      assertThat(client.post(WALLETS, SAVINGS).send().reason()).isEqualTo("overloaded");
      Files.delete(log);
    }

    try (TestService service = TestService.start(data, 3)) {
      TestClient after = service.client(client.clientId(), client.privateKey());
      assertThat(after.get(WALLETS).send().json().path("totalElements").asInt()).isEqualTo(8);
    }
  }

  /** A service that serves already does not end because the store is lost right after its start. */
  @Test
  void file_deletedRightAfterTheStart_costsTheFirstLinkOnly() throws Exception {
    Path data = folder.resolve("data");
    try (TestService service = TestService.start(data, 3)) {
      delete(data, "countersign.db");
      assertThat(service.hasFirstLink()).isFalse();
    }
  }

  /** The line of each request has its reason, so the cause is told once. */
  @Test
  void file_deletedWhileServing_isOneLineForAllRefusedRequests(CapturedOutput output)
      throws Exception {
    Path data = folder.resolve("data");
    try (TestService service = TestService.start(data, 3)) {
      TestClient client = service.register();
      delete(data, "countersign.db");
      for (int i = 0; i < 5; i++) {
        assertThat(client.post(WALLETS, SAVINGS).send().reason()).isEqualTo("overloaded");
      }
      assertThat(output.getAll().lines().filter(line -> line.contains("cannot serve " + WALLETS)))
          .hasSize(1);
    }
  }

  @Test
  void fileOfRequests_deleted_losesTheRecordsOnly(CapturedOutput output) throws Exception {
    Path data = folder.resolve("data");
    try (TestService service = TestService.start(data, 3)) {
      TestClient client = service.register();
      Files.delete(data.resolve("requests.db"));
      assertThat(client.get(WALLETS).send().status()).isEqualTo(200);
      Awaitility.await()
          .until(
              () -> output.getAll().contains("requests are not recorded because the store fails"));
      assertThat(client.post(WALLETS, SAVINGS).send().status()).isEqualTo(201);
      assertThat(readiness(service)).isEqualTo(200);
    }
    delete(data, "requests.db");
    TestService.start(data, 3).close();
    assertThat(output.getAll().lines().filter(line -> line.contains("requests.db is missing")))
        .singleElement()
        .asString()
        .contains("what it contained is lost, and a new file begins");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4k", "64k", "512k"})
  void fullDisk_atTheStart_isOneLine(String size, CapturedOutput output) throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", disk.toString()) == 0,
        "this machine lets nobody mount a small disk");
    try {
      CommandResult printed =
          OperatorShell.run("serve", "--port", "0", "--data", disk.resolve("data").toString());

      assertThat(printed.exitCode()).isEqualTo(1);
      assertThat(printed.err().lines()).as(printed.err()).hasSize(1);
      assertThat(printed.err()).startsWith("countersign: ").contains("full", "free some space");
      assertThat(output.getAll()).doesNotContain("SQLiteException", "TransactionalExecution");
    } finally {
      // Threads of the failed start may still close its files.
      Awaitility.await().until(() -> run("umount", disk.toString()) == 0);
    }
  }

  private static int run(String... command) throws Exception {
    return Waits.forExit(new ProcessBuilder(command).inheritIO().start());
  }

  private static CommandResult run(List<String> command, Path data) {
    return OperatorShell.run(
        Stream.concat(command.stream(), Stream.of("--data", data.toString()))
            .toArray(String[]::new));
  }

  private static int readiness(TestService service) {
    return RawRequest.send(
            service.port(), "GET /actuator/health/readiness HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .status();
  }

  private static void delete(Path data, String name) throws IOException {
    for (String suffix : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(data.resolve(name + suffix));
    }
  }
}
