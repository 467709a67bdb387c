package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.server.TestService;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CallCommandTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static TestService service;
  private static String clientId;

  @TempDir private Path home;
  private TestShell shell;

  @BeforeAll
  static void start(@TempDir Path data) {
    service = TestService.start(data, 3);
    clientId = service.register().clientId();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @BeforeEach
  void open() {
    shell = TestShell.of(home, service, clientId);
  }

  @Test
  void get_ofAPath_printsTheBodyAsItCame() {
    Run run = shell.run("call", "GET", "/ledger/v1/wallets?size=2");

    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(JSON.readTree(run.out()).path("totalElements").asInt()).isEqualTo(3);
  }

  @Test
  void get_ofAnAbsoluteUrlWithoutBaseUrl_isSentThere() {
    shell.with("COUNTERSIGN_BASE_URL", "");

    assertThat(shell.run("call", "get", service.url() + "/ledger/v1/wallets").code()).isZero();
  }

  @Test
  void get_ofAnotherOriginThanTheBaseUrl_isMistyped() {
    Run run = shell.run("call", "GET", "https://elsewhere.example/ledger/v1/wallets");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: ").contains("--base-url https://elsewhere.example");
  }

  @Test
  void include_ofAnAnswer_printsStatusAndHeaders() {
    Run run = shell.run("call", "GET", "/ledger/v1/wallets", "-i");

    assertThat(run.out()).startsWith("HTTP/1.1 200\n").contains("content-type: application/json");
    assertThat(run.out()).contains("\n\n{");
  }

  @Test
  void output_toAFile_leavesStandardOutputEmpty() throws IOException {
    Path file = home.resolve("answer.json");

    Run run = shell.run("call", "GET", "/ledger/v1/wallets", "-o", file.toString());

    assertThat(run.out()).isEmpty();
    assertThat(JSON.readTree(Files.readString(file)).path("first").asBoolean()).isTrue();
  }

  @Test
  void data_fromStandardInputOrAFile_isSignedAndSent() throws IOException {
    Path file = Files.writeString(home.resolve("body.json"), "{\"a\":1}");

    Run typed = shell.run("call", "POST", "/ledger/v1/wallets", "-d", "{\"a\":1}");
    Run read = shell.run("call", "POST", "/ledger/v1/wallets", "-d", "@" + file);
    Run piped = shell.typing("{\"a\":1}").run("call", "POST", "/ledger/v1/wallets", "-d", "@-");

    // No wallet has an a, which is said only of a request whose signature and digest hold.
    assertThat(typed.err()).startsWith("body_invalid: ");
    assertThat(read.err()).startsWith("body_invalid: ");
    assertThat(piped.err()).startsWith("body_invalid: ");
  }

  @Test
  void refusal_isOneLineThatBeginsWithTheReason_exit3() {
    Run run = shell.run("call", "GET", "/ledger/v1/wallets", "--client-id", "nobody");

    assertThat(run.code()).isEqualTo(3);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("client_unknown: ").hasLineCount(1);
  }

  @Test
  void refusal_withJson_isOneObjectOnOneLine() {
    Run run = shell.run("call", "GET", "/nothing", "--json");

    JsonNode document = JSON.readTree(run.err());
    assertThat(run.err()).hasLineCount(1);
    assertThat(document.path("reason").asString()).isEqualTo("not_found");
    assertThat(document.path("status").asInt()).isEqualTo(404);
    assertThat(document.path("exitCode").asInt()).isEqualTo(3);
    assertThat(document.path("requestId").asString()).isNotEmpty();
  }

  @Test
  void service_thatIsNotThere_exit4() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }

    Run run = shell.run("call", "GET", "/", "--base-url", "http://127.0.0.1:" + free);

    assertThat(run.code()).isEqualTo(4);
    assertThat(run.err()).startsWith("connection_failed: ").hasLineCount(1);
  }

  @Test
  void key_thatIsMissing_exit1() {
    Run run = shell.run("call", "GET", "/", "--key", home.resolve("none.key").toString());

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).startsWith("key_unusable: ").contains("none.key").hasLineCount(1);
  }

  @Test
  void header_withoutColon_isMistyped() {
    Run run = shell.run("call", "GET", "/", "-H", "Accept");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: 'Accept' must be 'Name: value'");
  }
}
