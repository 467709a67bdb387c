package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.server.TestService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class KeysRotateCommandTest {
  @TempDir private Path folder;
  private TestService service;
  private TestShell shell;
  private Path key;

  @BeforeEach
  void start() {
    service = TestService.start(folder.resolve("data"), 3, TestService.ROTATING);
    String clientId = service.register("rotator", "127.0.0.1", "::1").clientId();
    shell = TestShell.of(folder, service, clientId);
    key = folder.resolve("test.key");
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void rotate_ofARegisteredKey_putsTheNewOneInItsPlace() throws IOException {
    String before = Files.readString(key);

    Run run = shell.run("keys", "rotate", "--overlap", "7d");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("SHA256:").hasLineCount(1);
    assertThat(run.err()).contains("the old key works until ");
    assertThat(Files.readString(key)).isNotEqualTo(before);
    assertThat(shell.run("keys", "inspect", key.toString()).out()).contains(run.out().strip());
    assertThat(shell.run("call", "GET", "/ledger/v1/wallets").code()).isZero();
  }

  @Test
  void rotate_twiceInARow_isRefusedWithJsonReason() {
    shell.run("keys", "rotate");

    Run again = shell.run("keys", "rotate", "--json");

    JsonNode error = new JsonMapper().readTree(again.err());
    assertThat(again.code()).isEqualTo(3);
    assertThat(error.path("reason").asString()).isEqualTo("rotation_pending");
    assertThat(shell.run("call", "GET", "/ledger/v1/wallets").code()).isZero();
  }

  @Test
  void overlap_thatIsNoDuration_isMistyped() {
    assertThat(shell.run("keys", "rotate", "--overlap", "soon").err())
        .startsWith("usage: ")
        .contains("'soon' must be a duration such as 24h");
    assertThat(shell.run("keys", "rotate", "--overlap", "60d").err())
        .startsWith("usage: --overlap must be 1 second to 30 days");
  }
}
