package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.server.RawRequest;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SharedRotatingService
class SignCommandTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String AWKWARD_NAME = "O'Neill $HOME `id` \\\\ \\\"x\\\" !; & #";

  @TempDir private Path home;
  private TestService service;
  private TestShell shell;

  @BeforeEach
  void open(TestService service, TestClient client) {
    this.service = service;
    shell = TestShell.of(home, service, client);
  }

  @Test
  void headers_sentByAnotherProgram_areAccepted() {
    Run run = shell.run("sign", "get", WALLETS + "?size=2");
    assertThat(run.code()).isZero();
    assertThat(run.out().lines().map(line -> line.substring(0, line.indexOf(':'))))
        .containsExactly("Accept", "Date", "Signature", "Signature-Input");
    String request =
        "GET "
            + WALLETS
            + "?size=2 HTTP/1.1\r\nHost: localhost:"
            + service.port()
            + "\r\n"
            + run.out().replace("\n", "\r\n")
            + "\r\n";
    assertThat(RawRequest.send(service.port(), request).status()).isEqualTo(200);
  }

  @Test
  void headers_ofABody_haveItsDigestAndWhatWasTyped() {
    Run run = shell.run("sign", "POST", WALLETS, "-d", "{}", "-H", "Idempotency-Key: 7f3c");
    assertThat(run.out().lines().map(line -> line.substring(0, line.indexOf(':'))))
        .containsExactly(
            "Accept",
            "Content-Digest",
            "Content-Type",
            "Date",
            "Idempotency-Key",
            "Signature",
            "Signature-Input");
    assertThat(run.out()).contains("\"idempotency-key\"");
  }

  @Test
  void json_ofARequest_hasUrlAndHeaders() {
    JsonNode document =
        JsonMapper.shared().readTree(shell.run("sign", "GET", WALLETS, "--json").out());
    assertThat(document.path("url").asString("")).isEqualTo(service.url() + WALLETS);
    assertThat(document.path("headers").path("Signature").asString("")).startsWith("sig=:");
  }

  @Test
  void curl_ofAQuery_runsInAShell() throws IOException, InterruptedException {
    Run run = shell.run("sign", "GET", WALLETS + "?size=2&sort=name,desc", "--curl");
    assertThat(run.out()).startsWith("curl '" + service.url());
    assertThat(inShell(run)).endsWith("\n200").contains("\"totalElements\"");
  }

  @Test
  void curl_ofABodyWithQuotesAndLineBreaks_sendsItsVeryBytes() throws Exception {
    String body = "{\"name\": \"" + AWKWARD_NAME + "\",\n\r\n\t\"currencyCode\": \"EUR\"}\n";
    Run run = shell.run("sign", "POST", WALLETS, "-d", body, "--curl");
    assertThat(run.out()).startsWith("curl --request POST ").contains("--data-binary '{");
    assertThat(inShell(run)).endsWith("\n201").contains("O'Neill $HOME `id` ");
  }

  @Test
  void curl_ofAFile_keepsTheFile() throws Exception {
    Path file = home.resolve("a wallet's.json");
    Files.writeString(file, "{\"name\":\"Größe\",\"currencyCode\":\"EUR\"}");
    Run run = shell.run("sign", "POST", WALLETS, "-d", "@" + file, "--curl");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("--data-binary '@").doesNotContain("currencyCode");
    assertThat(inShell(run)).endsWith("\n201").contains("Größe");
  }

  @Test
  void curl_ofAHeaderWithQuotes_sendsIt() throws Exception {
    Run run =
        shell.run(
            "sign",
            "POST",
            WALLETS,
            "-d",
            "{\"name\":\"k\",\"currencyCode\":\"EUR\"}",
            "-H",
            "Idempotency-Key: it's;$(id)",
            "--curl");
    assertThat(inShell(run)).endsWith("\n201");
  }

  @Test
  void curl_ofAHead_doesNotWaitForABody() throws Exception {
    assertThat(inShell(shell.run("sign", "HEAD", WALLETS, "--curl"))).endsWith("\n200");
  }

  @Test
  void curl_ofAHeadWithABody_isTakenByCurl() throws Exception {
    Run run = shell.run("sign", "HEAD", WALLETS, "-d", "{}", "--curl");
    assertThat(run.out()).contains("--request HEAD").doesNotContain("--head");
  }

  @Test
  void curl_ofAHeaderWithoutValue_sendsIt() throws Exception {
    try (FixedService fixed = FixedService.start(query -> "{}")) {
      Run run =
          shell.run("sign", "GET", "/", "--base-url", fixed.url(), "-H", "X-Empty:", "--curl");
      assertThat(inShell(run)).endsWith("\n200");
      assertThat(fixed.requests().get(0).get("X-Empty")).containsExactly("");
    }
  }

  @Test
  void curl_ofStandardInput_isAUsageErrorBecauseItWasAlreadyRead() {
    Run run = shell.typing("{}").run("sign", "POST", WALLETS, "-d", "@-", "--curl");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("-d @FILE");
  }

  @Test
  void key_thatIsMissing_isOneLine() {
    Run run = shell.with("COUNTERSIGN_KEY", "/nowhere/x.key").run("sign", "GET", WALLETS);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).startsWith("key_unusable: ").hasLineCount(1);
  }

  /** Runs the printed command, and has curl add the status on its own line. */
  private String inShell(Run run) throws IOException, InterruptedException {
    assertThat(run.err()).isEmpty();
    assumeTrue(hasCurl(), "curl is not installed, so its commands are not run here");
    String script = run.out().stripTrailing() + " --silent --show-error -w '\\n%{http_code}'\n";
    Process sh =
        new ProcessBuilder("sh").directory(home.toFile()).redirectErrorStream(true).start();
    sh.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
    sh.getOutputStream().close();
    String answer = new String(sh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Waits.forExit(sh);
    return answer;
  }

  private static boolean hasCurl() throws InterruptedException {
    try {
      return Waits.forExit(
              new ProcessBuilder("curl", "--version")
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                  .start())
          == 0;
    } catch (IOException missing) {
      return false;
    }
  }
}
