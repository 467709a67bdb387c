package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.cli.explain.Capture;
import dev.countersign.signatures.keys.PrivateKeys;
import dev.countersign.signatures.keys.PublicKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class VerifyCommandTest {
  private static final String WALLETS = "/ledger/v1/wallets";

  @TempDir private Path home;
  private TestShell shell;

  @BeforeEach
  void open() {
    shell = new TestShell(home);
  }

  @Test
  void verify_signed_printsTheBaseAndWhatWasVerified() throws IOException {
    Run run = verify(Capture.post(WALLETS, "{\"a\":1}"), "--ignore-time");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith("\"@method\": POST\n\"@target-uri\": https://api.example.com" + WALLETS + "\n")
        .doesNotContain("verified");
    assertThat(run.err())
        .startsWith("verified: the signature of test-client, made at 2026-11-20T19:02:55Z\n")
        .contains("with the key SHA256:")
        .contains("and the body matches its digest")
        .endsWith("not checked: the time\n");
  }

  @Test
  void verify_atATime_holdsThatAgainstCreated() throws IOException {
    assertThat(verify(Capture.get(WALLETS), "--at", "2026-11-20T19:07:55Z").code()).isZero();
    assertThat(verify(Capture.get(WALLETS), "--at", "1795201375").code()).isZero();
    Run late = verify(Capture.get(WALLETS), "--at", "2026-11-20T19:07:56Z");
    assertThat(late.code()).isEqualTo(5);
    assertThat(late.err()).startsWith("created_too_old: created is 301 s old");
  }

  @Test
  void verify_tamperedFiles_areRefusedWithTheReason() throws IOException {
    Capture get = Capture.get(WALLETS);
    Capture post = Capture.post(WALLETS, "{\"a\":1}");
    assertRefused(get.withTarget(WALLETS + "?size=1"), "signature_mismatch");
    assertRefused(get.with("Host", "other.example"), "signature_mismatch");
    assertRefused(post.withBody("{\"a\":2}"), "digest_mismatch");
    assertRefused(post.without("Content-Digest"), "digest_missing");
    assertRefused(get.without("Date"), "date_missing");
    assertRefused(get.with("Date", "Fri, 20 Nov 2026 19:02:58 GMT"), "date_mismatch");
    assertRefused(get.without("Signature"), "signature_missing");
    assertRefused(get.with("Signature", "sig=::"), "signature_malformed");
    assertRefused(get.withInput("test-client", "best-client"), "signature_mismatch");
  }

  /** The signature is valid, but no service verifies it. */
  @Test
  void verify_hostThatServicesRefuse_isRefused() throws IOException {
    for (String host : List.of("countersign_api:8080", "api-.x")) {
      Capture captured =
          Capture.getSignedOver(WALLETS, base -> base.replace(Capture.HOST, host))
              .with("Host", host);
      Run run = verify(captured, "--ignore-time");
      assertThat(run.code()).isEqualTo(5);
      assertThat(run.err()).startsWith("request_malformed: the host \"").doesNotContain("verified");
    }
  }

  @Test
  void verify_inputWithBlanks_printsTheBaseThatWasSigned() throws IOException {
    Run serialized = verify(Capture.get(WALLETS).withInput(";", "; "), "--ignore-time");
    assertThat(serialized.code()).isZero();
    assertThat(serialized.out()).contains("\"date\");created=");
    Capture spelled =
        Capture.getSignedOver(WALLETS, base -> base.replace(";", "; ")).withInput(";", "; ");
    Run asSpelled = verify(spelled, "--ignore-time");
    assertThat(asSpelled.code()).isZero();
    assertThat(asSpelled.out()).contains("\"date\"); created=");
  }

  @Test
  void verify_refused_printsTheBaseAllTheSame() throws IOException {
    Run run = verify(Capture.get(WALLETS).withTarget("/other"), "--ignore-time");
    assertThat(run.out()).contains("\"@target-uri\": https://api.example.com/other\n");
  }

  @Test
  void verify_json_isOneDocument() throws IOException {
    Run run = verify(Capture.get(WALLETS), "--ignore-time", "--json");
    JsonNode document = JsonMapper.shared().readTree(run.out());
    assertThat(document.path("verified").asBoolean()).isTrue();
    assertThat(document.path("clientId").asString("")).isEqualTo("test-client");
    assertThat(document.path("reason").asString("")).isEqualTo("verified");
    assertThat(document.path("components").size()).isEqualTo(3);
  }

  @Test
  void verify_jsonOfARefusal_isOneDocumentToo() throws IOException {
    Run run = verify(Capture.get(WALLETS).withTarget("/other"), "--ignore-time", "--json");
    JsonNode document = JsonMapper.shared().readTree(run.out());
    assertThat(document.path("verified").asBoolean(true)).isFalse();
    assertThat(document.path("reason").asString("")).isEqualTo("signature_mismatch");
    assertThat(document.path("signatureBase").asString("")).contains("/other");
    assertThat(document.path("cause").asString("")).contains("countersign explain");
    assertThat(JsonMapper.shared().readTree(run.err()).path("exitCode").asInt()).isEqualTo(5);
  }

  @Test
  void verify_withAPrivateKeyOrWithoutAny_saysSo() throws IOException {
    Path file = home.resolve("request.http");
    Files.writeString(file, Capture.get(WALLETS).text());
    Run none = shell.run("verify", "--request", file.toString());
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err()).contains("--public-key FILE");
    String key = TestShell.keyFile(home).toString();
    Run wrong = shell.run("verify", "--request", file.toString(), "--public-key", key);
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.err()).startsWith("key_unusable: ").doesNotContain("MII");
  }

  @Test
  void verify_withAPrivateKey_takesItsPublicHalf() throws IOException {
    String request = request();
    String key = home.resolve("client.key").toString();
    Files.writeString(Path.of(key), PrivateKeys.toPem(Capture.KEYS.getPrivate()));

    Run run = shell.run("verify", "--request", request, "--key", key, "--ignore-time");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(shell.run("explain", "--request", request, "--key", key).code()).isZero();
    Files.writeString(home.resolve("profiles"), "[mine]\nkey = client.key\n");
    shell.with("COUNTERSIGN_CONFIG_FILE", home.resolve("profiles").toString());
    assertThat(shell.run("explain", "--request", request, "--profile", "mine").code()).isZero();
  }

  @Test
  void verify_withAKeyThatIsOnlyInTheEnvironment_hasNone() throws IOException {
    shell.with("COUNTERSIGN_KEY", TestShell.keyFile(home).toString());

    assertThat(shell.run("verify", "--request", request()).code()).isEqualTo(2);
  }

  @Test
  void verify_ofAnotherClient_isRefused() throws IOException {
    Run other = verify(Capture.get(WALLETS), "--ignore-time", "--client-id", "best-client");
    Run same = verify(Capture.get(WALLETS), "--ignore-time", "--client-id", "test-client");

    assertThat(other.code()).isEqualTo(5);
    assertThat(other.err()).startsWith("client_other: ").contains("'test-client'", "'best-client'");
    assertThat(same.code()).isZero();
  }

  @Test
  void jsonOfAnotherClient_isOneDocumentToo() throws IOException {
    Run verified =
        verify(Capture.get(WALLETS), "--ignore-time", "--json", "--client-id", "best-client");
    String request = home.resolve("request.http").toString();
    String key = home.resolve("client.pub").toString();
    Run explained =
        shell.run(
            ("explain --json --client-id best-client --request " + request + " --public-key " + key)
                .split(" "));

    for (Run run : List.of(verified, explained)) {
      JsonNode document = JsonMapper.shared().readTree(run.out());
      assertThat(run.code()).isEqualTo(5);
      assertThat(document.path("verified").asBoolean(true)).isFalse();
      assertThat(document.path("reason").asString("")).isEqualTo("client_other");
      assertThat(document.path("cause").asString("")).contains("'best-client'");
      assertThat(document.path("signatureBase").asString("")).contains(WALLETS);
      assertThat(JsonMapper.shared().readTree(run.err()).path("reason").asString(""))
          .isEqualTo("client_other");
    }
  }

  @Test
  void verify_withBothHalvesOfAKey_isAUsageError() throws IOException {
    Run run = verify(Capture.get(WALLETS), "--key", TestShell.keyFile(home).toString());

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--public-key and --key cannot be used together");
  }

  @Test
  void verify_withABaseUrl_takesItsScheme() throws IOException {
    Run run = verify(Capture.get(WALLETS), "--ignore-time", "--base-url", "http://api.example.com");
    Run both = verify(Capture.get(WALLETS), "--scheme", "https", "--base-url", "https://a.example");

    assertThat(run.code()).isEqualTo(5);
    assertThat(run.out()).contains("\"@target-uri\": http://api.example.com" + WALLETS);
    assertThat(both.code()).isEqualTo(2);
    assertThat(both.err()).contains("--scheme and --base-url cannot be used together");
  }

  @Test
  void verify_atNoTime_isAUsageError() throws IOException {
    assertThat(verify(Capture.get(WALLETS), "--at", "yesterday").code()).isEqualTo(2);
    assertThat(verify(Capture.get(WALLETS), "--at", "1", "--ignore-time").code()).isEqualTo(2);
  }

  private String request() throws IOException {
    return Files.writeString(home.resolve("request.http"), Capture.get(WALLETS).text()).toString();
  }

  private void assertRefused(Capture capture, String reason) throws IOException {
    Run run = verify(capture, "--ignore-time");
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err()).startsWith(reason + ": ").hasLineCount(1);
  }

  private Run verify(Capture capture, String... options) throws IOException {
    Path file = home.resolve("request.http");
    Path key = home.resolve("client.pub");
    Files.writeString(file, capture.text());
    Files.writeString(key, PublicKeys.toPem(Capture.publicKey()));
    List<String> args =
        new ArrayList<>(
            List.of("verify", "--request", file.toString(), "--public-key", key.toString()));
    args.addAll(List.of(options));
    return shell.run(args.toArray(String[]::new));
  }
}
