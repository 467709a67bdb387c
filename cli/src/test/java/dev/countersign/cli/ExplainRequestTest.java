package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.cli.explain.Capture;
import dev.countersign.signatures.diagnosis.LikelyCause;
import dev.countersign.signatures.keys.PublicKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The output of {@code explain --request FILE}; CapturedCheckTest covers the causes. */
class ExplainRequestTest {
  private static final String WALLETS = "/ledger/v1/wallets?sort=name,asc";

  @TempDir private Path home;
  private TestShell shell;
  private Path key;

  @BeforeEach
  void open() throws IOException {
    shell = new TestShell(home);
    key = home.resolve("client.pub");
    Files.writeString(key, PublicKeys.toPem(Capture.publicKey()));
  }

  @Test
  void capture_wellSigned_isVerified() throws IOException {
    Run run = explain(Capture.get(WALLETS), "--public-key", key.toString());
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains("ok          the signature verifies with the public key\n")
        .contains(
            "not checked the signature is neither too old nor from the future:"
                + " give the time of receipt with --at TIME")
        .contains("signature base:\n\"@method\": GET\n");
    assertThat(run.err()).isEqualTo("verified: the signature is valid; its time was not checked\n");
  }

  @Test
  void capture_withAHostThatServicesRefuse_isNotVerified() throws IOException {
    Capture captured =
        Capture.getSignedOver(WALLETS, base -> base.replace(Capture.HOST, "countersign_api"))
            .with("Host", "countersign_api");
    Run run = explain(captured, "--public-key", key.toString());
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.out())
        .startsWith("broken      the Host header is one that a service accepts: the host ")
        .contains("not checked Signature-Input and Signature were sent");
    assertThat(run.err())
        .startsWith("request_malformed: the host \"countersign_api\" has the character \"_\"")
        .contains("for example the network alias countersign-api, or let nginx");
  }

  /** The host counts that the caller addressed, wherever the request names it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://countersign_api:8080/x | has the character \"_\"",
        "http://me:secret@api.example.com/x | has a user before it",
        "http://other.example.com/x | the Host header differs from the host of the request target",
      })
  void capture_withAbsoluteTarget_isRefusedForItsHost(String target, String cause)
      throws IOException {
    Capture captured =
        Capture.getSignedOver(
                WALLETS, base -> base.replace("https://" + Capture.HOST + WALLETS, target))
            .withTarget(target);
    Run run = explain(captured, "--public-key", key.toString());
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err()).startsWith("request_malformed: ").contains(cause);
  }

  @Test
  void capture_withoutPublicKey_isNotCheckedAndNoSuccess() throws IOException {
    Run run = explain(Capture.get(WALLETS));
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err()).startsWith("not_checked: the signature was not checked");
  }

  @Test
  void capture_withTheDefaultPort_isExplainedWithADrawing() throws IOException {
    Run run =
        explain(
            Capture.get(WALLETS).with("Host", "api.example.com:443"),
            "--public-key",
            key.toString());
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err())
        .isEqualTo("signature_mismatch: " + LikelyCause.DEFAULT_PORT.sentence() + "\n");
    assertThat(run.out()).contains("first difference, line 2").contains("^");
  }

  @Test
  void base_ofTheSigner_isComparedWithoutAPublicKey() throws IOException {
    Path base = home.resolve("base.txt");
    String ours = explain(Capture.get(WALLETS)).out().split("signature base:\n")[1];
    Files.writeString(base, ours.replace("GET", "get"));
    Run run = explain(Capture.get(WALLETS), "--base", base.toString());
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err()).isEqualTo("not_checked: " + LikelyCause.METHOD_CASE.sentence() + "\n");
  }

  @Test
  void json_ofACapture_hasEveryRule() throws IOException {
    Run run = explain(Capture.get(WALLETS), "--public-key", key.toString(), "--json");
    JsonNode document = JsonMapper.shared().readTree(run.out());
    assertThat(document.path("verified").asBoolean()).isTrue();
    assertThat(document.path("rules").size()).isEqualTo(11);
  }

  @Test
  void file_thatIsNoRequest_isRefusedWithItsLine() throws IOException {
    Path file = home.resolve("x.http");
    Files.writeString(file, "GET / HTTP/1.1\nHost x\n\n");
    Run run = shell.run("explain", "--request", file.toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).startsWith("request_unreadable: ").contains("line 2: a header must be");
  }

  @Test
  void file_thatIsNotThere_isNamedOnce() {
    Run run = shell.run("explain", "--request", "nofile");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("request_unreadable: nofile: there is no such file\n");
  }

  @Test
  void base_thatIsNotThere_isOneSentence() throws IOException {
    Run run = explain(Capture.get(WALLETS), "--base", "nofile");
    assertThat(run.err())
        .isEqualTo("base_unreadable: nofile cannot be read: there is no such file\n");
  }

  @Test
  void request_onStandardInput_isRead() {
    shell.typing(Capture.get(WALLETS).text());
    Run run = shell.run("explain", "--request", "-", "--public-key", key.toString());
    assertThat(run.code()).isZero();
  }

  private Run explain(Capture capture, String... options) throws IOException {
    Path file = home.resolve("request.http");
    Files.writeString(file, capture.text());
    String[] args = new String[options.length + 3];
    args[0] = "explain";
    args[1] = "--request";
    args[2] = file.toString();
    System.arraycopy(options, 0, args, 3, options.length);
    return shell.run(args);
  }
}
