package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import dev.countersign.cli.TestShell.Run;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SharedRotatingService
class CallCommandTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path home;
  private TestService service;
  private TestShell shell;

  @BeforeEach
  void open(TestService service, TestClient client) {
    this.service = service;
    shell = TestShell.of(home, service, client);
  }

  @Test
  void get_ofAPath_printsTheBodyAsItCame() {
    Run run = shell.run("call", "GET", "/ledger/v1/wallets?size=2");

    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(JSON.readTree(run.out()).path("totalElements").asInt()).isEqualTo(25);
  }

  @Test
  void get_ofAnAbsoluteUrlWithoutBaseUrl_isSentThere() {
    shell.with("COUNTERSIGN_BASE_URL", "");

    assertThat(shell.run("call", "get", service.url() + "/ledger/v1/wallets").code()).isZero();
  }

  @Test
  void get_ofAnotherOriginThanTheBaseUrl_isAUsageError() {
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

    // The service reports an unknown member only if the signature and the digest verify.
    assertThat(typed.err()).startsWith("body_invalid: ");
    assertThat(read.err()).startsWith("body_invalid: ");
    assertThat(piped.err()).startsWith("body_invalid: ");
  }

  @Test
  void data_fromAPipeWithAName_isSignedAndSent() throws Exception {
    Path pipe = home.resolve("pipe");
    assertThat(Waits.forExit(new ProcessBuilder("mkfifo", pipe.toString()).start())).isZero();
    new ProcessBuilder("sh", "-c", "printf '{\"a\":1}' > " + pipe).start();

    Run run = shell.run("call", "POST", "/ledger/v1/wallets", "-d", "@" + pipe);

    assertThat(run.err()).startsWith("body_invalid: ");
  }

  @Test
  void profile_namedAsACommand_isTakenBeforeIt() throws IOException {
    Path profiles = home.resolve("profiles");
    Files.writeString(profiles, "[list]\nbase_url = " + service.url() + "\n");
    shell.with("COUNTERSIGN_CONFIG_FILE", profiles.toString());

    Run run = shell.run("--profile", "list", "call", "GET", "/ledger/v1/wallets");
    Run same = shell.run("--profile", "list", "list", "/ledger/v1/wallets");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(same.code()).as(same.err()).isZero();
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
    try (DeafPort port = DeafPort.open()) {
      Run run = shell.run("call", "GET", "/", "--base-url", port.url());

      assertThat(run.code()).isEqualTo(4);
      assertThat(run.err()).startsWith("connection_failed: ").hasLineCount(1);
    }
  }

  @Test
  void key_thatIsMissing_exit1() {
    Run run = shell.run("call", "GET", "/", "--key", home.resolve("none.key").toString());

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).startsWith("key_unusable: ").contains("none.key").hasLineCount(1);
  }

  @Test
  void header_withoutColon_isAUsageError() {
    Run run = shell.run("call", "GET", "/", "-H", "Accept");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: 'Accept' must be 'Name: value'");
  }

  @Test
  void output_intoNoFolder_isToldBeforeAnythingIsSent() throws IOException {
    try (FixedService fixed = FixedService.start(query -> "{}")) {
      String file = home.resolve("none/answer.json").toString();
      Run run = fixed.shell(home).run("call", "POST", "/x", "-d", "{}", "-o", file);

      assertThat(run.code()).isEqualTo(1);
      assertThat(run.err())
          .startsWith("output_failed: " + file + " cannot be written: ")
          .doesNotContain("Exception");
      assertThat(fixed.requests()).isEmpty();
    }
  }

  @Test
  void output_ofARefusal_leavesTheFileAsItWas() throws IOException {
    Path file = Files.writeString(home.resolve("answer.json"), "before");

    Run run = shell.run("call", "GET", "/nothing", "-o", file.toString());

    assertThat(run.code()).isEqualTo(3);
    assertThat(Files.readString(file)).isEqualTo("before");
    try (Stream<Path> left = Files.list(home)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("answer.json", "test.key");
    }
  }

  @Test
  void output_overAFile_keepsItsModeAndALinkToIt() throws IOException {
    Path file = Files.writeString(home.resolve("answer.json"), "before");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(home.resolve("link.json"), file);

    assertThat(shell.run("call", "GET", "/ledger/v1/wallets", "-o", link.toString()).code())
        .isZero();

    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(Files.readString(file)).startsWith("{");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void output_toADevice_leavesItADevice() {
    assertThat(shell.run("call", "GET", "/ledger/v1/wallets", "-o", "/dev/null").code()).isZero();
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
  }

  @Test
  void header_thatIsRepeated_isSentAsOftenAsItWasTyped() throws IOException {
    try (FixedService fixed = FixedService.start(query -> "{}")) {
      Run run =
          fixed
              .shell(home)
              .run(
                  "call",
                  "POST",
                  "/x",
                  "-d",
                  "x",
                  "-H",
                  "X-A: 1",
                  "-H",
                  "x-a: 2",
                  "-H",
                  "content-type: text/plain",
                  "-H",
                  "X-Empty:");

      assertThat(run.code()).isZero();
      Headers sent = fixed.requests().get(0);
      assertThat(sent.get("X-A")).containsExactly("1", "2");
      assertThat(sent.get("Content-Type")).containsExactly("text/plain");
      assertThat(sent.get("Accept")).containsExactly("application/json");
      assertThat(sent.get("X-Empty")).containsExactly("");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Date", "signature", "Signature-Input", "CONTENT-DIGEST"})
  void header_thatSigningMakes_isAUsageError(String name) {
    Run run = shell.run("call", "GET", "/", "-H", name + ": x");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: " + name + " is set by signing");
  }

  @Test
  void data_thatIsNotThere_isOneSentence() {
    Run run = shell.run("call", "POST", "/", "-d", "@nofile");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo("data_unreadable: nofile cannot be read: there is no such file\n");
  }

  @Test
  void baseUrl_withQueryOrFragment_isAUsageError() {
    for (String url : List.of("http://localhost/?a=secret", "http://localhost/#secret")) {
      Run run = shell.run("call", "GET", "/", "--base-url", url);

      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err())
          .isEqualTo(
              "usage: the base must have no user, query or fragment;"
                  + " without them it is http://localhost/\n");
    }
    for (String command : List.of("call", "sign")) {
      Run run = shell.run(command, "GET", "/", "--base-url", "http://me:secret@localhost/");
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err())
          .contains("must not contain a user or a password")
          .doesNotContain("secret");
    }
  }
}
