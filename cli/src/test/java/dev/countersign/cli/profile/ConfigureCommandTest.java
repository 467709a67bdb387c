package dev.countersign.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.countersign.cli.SharedRotatingService;
import dev.countersign.cli.TestShell;
import dev.countersign.cli.TestShell.Run;
import dev.countersign.cli.TestTerminal;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SharedRotatingService
class ConfigureCommandTest {
  @TempDir private Path home;
  private Path key;
  private Path config;
  private TestService service;
  private String clientId;
  private TestShell shell;

  @BeforeEach
  void open(TestService service, TestClient client) {
    this.service = service;
    clientId = client.clientId();
    shell = new TestShell(home);
    key = TestShell.keyFile(home, client.privateKey());
    config = home.resolve(".config/countersign/config");
  }

  @Test
  void options_withoutTerminal_areWrittenAndTested() throws IOException {
    Run run = configure("default");

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .isEqualTo(service.url() + " accepts requests that " + clientId + " signs\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(config)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(config))
        .isEqualTo(
            String.format(
                Locale.ROOT,
                """
                [default]
                base_url = %s
                client_id = %s
                key = %s
                """,
                service.url(),
                clientId,
                key));
    assertThat(shell.run("call", "GET", "/ledger/v1/wallets").code()).isZero();
  }

  @Test
  void answers_atATerminal_areWritten() {
    shell.with(new TestTerminal(service.url(), clientId, key.toString()));

    assertThat(shell.run("configure", "--profile", "asked").code()).isZero();
    assertThat(shell.run("call", "GET", "/ledger/v1/wallets", "--profile", "asked").code())
        .isZero();
  }

  @Test
  void emptyAnswers_keepWhatTheProfileHas() {
    configure("default");
    shell.with(new TestTerminal("", "", ""));

    assertThat(shell.run("configure").code()).isZero();
    assertThat(ProfileFile.read(config).profile("default").value(ProfileSetting.CLIENT_ID))
        .contains(clientId);
  }

  @Test
  void malformedBaseUrl_atATerminal_isAskedForAgain() {
    shell.with(new TestTerminal("api.example.com", "", service.url(), clientId, key.toString()));

    Run run = shell.run("configure", "--no-test");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).startsWith("'api.example.com' is not a URL such as");
    assertThat(ProfileFile.read(config).profile("default").value(ProfileSetting.BASE_URL))
        .contains(service.url());
  }

  @Test
  void inputThatEndsEarly_writesNothing() {
    shell.with(new TestTerminal(service.url()));

    Run run = shell.run("configure");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).startsWith("input_ended: ");
    assertThat(config).doesNotExist();
  }

  @Test
  void relativeKey_ofAProfileWrittenByHand_staysTheSameFile() throws IOException {
    configure("default");
    Path moved = Files.move(key, config.resolveSibling("mine.key"));
    Files.writeString(config, Files.readString(config).replace(key.toString(), "mine.key"));
    shell.with(new TestTerminal("", "", ""));

    assertThat(shell.run("call", "GET", "/ledger/v1/wallets").code()).isZero();
    assertThat(shell.run("configure").code()).isZero();
    assertThat(Files.readString(config)).contains("key = " + moved + "\n");
  }

  @Test
  void secondProfile_leavesTheFirstAndItsCommentsAlone() throws IOException {
    configure("default");
    Files.writeString(config, "# mine\n" + Files.readString(config));
    configure("test");
    configure("default");

    assertThat(Files.readString(config)).startsWith("# mine\n[default]\n").contains("\n\n[test]\n");
    assertThat(ProfileFile.read(config).names()).containsExactly("default", "test");
  }

  @Test
  void missingKey_atATerminal_isGeneratedAfterYes() {
    Path made = home.resolve("made.key");
    shell.with(new TestTerminal(service.url(), "", made.toString(), "y"));

    Run run = shell.run("configure");

    assertThat(run.code()).isZero();
    assertThat(made).exists();
    assertThat(home.resolve("made.pub")).exists();
    assertThat(run.err()).contains("register the public key").contains("no clientId yet");
  }

  @Test
  void missingKey_inAMissingFolder_isGenerated() throws IOException {
    Run run = shell.run("configure", "--base-url", service.url(), "--generate-key", "--no-test");

    assertThat(run.code()).as(run.err()).isZero();
    Path made = config.resolveSibling("default.key");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(config)).contains("key = " + made + "\n");
  }

  @Test
  void generateKey_intoAKeyStore_isAUsageError() {
    String store = home.resolve("made.p12").toString();

    Run run = shell.run("configure", "--base-url", service.url(), "--generate-key", "--key", store);

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("a new key is a PEM file", store);
    assertThat(Path.of(store)).doesNotExist();
    assertThat(config).doesNotExist();
  }

  @Test
  void relativeKey_isStoredAsAnAbsolutePath() {
    Path here = Path.of("").toAbsolutePath();
    shell.run(
        "configure",
        "--base-url",
        service.url(),
        "--key",
        here.relativize(home.toAbsolutePath().resolve("made.key")).toString(),
        "--generate-key",
        "--no-test");

    assertThat(ProfileFile.read(config).profile("default").value(ProfileSetting.KEY).orElseThrow())
        .isEqualTo(home.toAbsolutePath().resolve("made.key").toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 404})
  void baseUrl_ofAnotherWebServer_fails(int status) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    byte[] page = "<html></html>".getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(status, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
    try {
      Run run =
          shell.run(
              "configure",
              "--base-url",
              "http://localhost:" + server.getAddress().getPort(),
              "--client-id",
              clientId,
              "--key",
              key.toString());

      assertThat(run.code()).isEqualTo(1);
      assertThat(run.err()).contains("answer_malformed: ").contains("check the base URL");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void missingKey_withoutTerminal_isAnErrorThatNamesTheOption() {
    Run run = shell.run("configure", "--base-url", service.url(), "--key", home + "/none.key");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).startsWith("key_unusable: ").contains("--generate-key");
    assertThat(config).doesNotExist();
  }

  @Test
  void clientThatTheServiceRefuses_isWrittenAndReported() {
    Run run =
        shell.run(
            "configure", "--base-url", service.url(), "--client-id", "nobody", "--key", key + "");

    assertThat(run.code()).isEqualTo(3);
    assertThat(run.err()).contains("\nclient_unknown: ");
    assertThat(config).exists();
  }

  @Test
  void noOptions_withoutTerminal_isAUsageError() {
    Run run = shell.run("configure");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("usage: there is no base URL: give --base-url\n");
  }

  private Run configure(String profile) {
    return shell.run(
        "configure",
        "--profile",
        profile,
        "--base-url",
        service.url(),
        "--client-id",
        clientId,
        "--key",
        key.toString());
  }
}
