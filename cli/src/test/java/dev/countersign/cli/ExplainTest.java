package dev.countersign.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.countersign.cli.TestShell.Run;
import dev.countersign.cli.explain.Capture;
import dev.countersign.protocol.Reason;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.signatures.diagnosis.LikelyCause;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The findings of {@code explain METHOD URL}, with a real service behind a proxy that tampers. */
@SharedRotatingService
class ExplainTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final Pattern SECONDS = Pattern.compile("(Date: [^\r]*:)([0-9]{2})( GMT)");

  @TempDir private Path home;
  private TestService service;
  private TestClient client;
  private TestShell shell;

  @BeforeEach
  void open(TestService service, TestClient client) {
    this.service = service;
    this.client = client;
    shell = TestShell.of(home, service, client);
  }

  @Test
  void request_asItShouldBe_isAcceptedWithItsBase() {
    Run run = shell.run("explain", "GET", WALLETS + "?size=1");
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("accepted: status 200").contains("\"@target-uri\": http://");
  }

  @Test
  void host_changedByAProxy_isNamedWithBothBases() throws IOException {
    Run run =
        tampered(
            text -> text.replaceFirst("Host: [^\r]*", "Host: internal.example"), "GET", WALLETS);
    assertRefused(run, "signature_mismatch", LikelyCause.AUTHORITY_DIFFERS);
    assertThat(run.out())
        .contains("our signature base:\n\"@method\": GET\n\"@target-uri\": http://localhost:")
        .contains(
            "the service's signature base:\n"
                + "\"@method\": GET\n"
                + "\"@target-uri\": http://internal.example/")
        .contains("first difference, line 2, \"@target-uri\", column")
        .contains("^");
  }

  @Test
  void port_changedByAProxy_isNamed() throws IOException {
    Run run =
        tampered(text -> text.replaceFirst("Host: [^\r]*", "Host: localhost:1"), "GET", WALLETS);
    assertRefused(run, "signature_mismatch", LikelyCause.PORT_DIFFERS);
  }

  @Test
  void query_reEncodedOnTheWay_isNamed() throws IOException {
    Run run =
        tampered(
            text -> text.replaceFirst("name,asc", "name%2Casc"), "GET", WALLETS + "?sort=name,asc");
    assertRefused(run, "signature_mismatch", LikelyCause.QUERY_RE_ENCODED);
  }

  @Test
  void date_ofAnotherSecond_isNamed() throws IOException {
    Run run = tampered(ExplainTest::withNextSecond, "GET", WALLETS);
    assertRefused(run, "signature_mismatch", LikelyCause.DATE_DIFFERS);
  }

  @Test
  void body_changedOnTheWay_isNamed() throws IOException {
    Run run =
        tampered(
            text -> text.replace("\"EUR\"", "\"USD\""),
            "POST",
            WALLETS,
            "-d",
            "{\"currencyCode\":\"EUR\"}");
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err()).startsWith("digest_mismatch: the body was changed on the way");
  }

  @Test
  void components_inAnotherOrder_areNamed() throws IOException {
    Run run =
        tampered(
            text -> text.replace("\"@method\" \"@target-uri\"", "\"@target-uri\" \"@method\""),
            "GET",
            WALLETS);
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err()).startsWith("components_wrong: the components are in another order");
    assertThat(run.out()).contains("expected: (\"@method\"").contains("received: (\"@target-uri\"");
  }

  /** Another implementation may leave out what it received. */
  @Test
  void components_receivedUnknown_areNotCompared() throws IOException {
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] problem =
        "{\"reason\":\"components_wrong\",\"expected\":\"(\\\"@method\\\")\"}".getBytes(UTF_8);
    other.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
          exchange.sendResponseHeaders(401, problem.length);
          exchange.getResponseBody().write(problem);
          exchange.close();
        });
    other.start();
    try {
      String url = "http://localhost:" + other.getAddress().getPort() + "/x";
      Run run = shell.with("COUNTERSIGN_BASE_URL", "").run("explain", "GET", url);
      assertThat(run.code()).isEqualTo(5);
      assertThat(run.err())
          .isEqualTo("components_wrong: " + Reason.COMPONENTS_WRONG.adviceToCaller() + "\n");
      assertThat(run.out()).contains("expected: (\"@method\")\n").doesNotContain("received: ");
    } finally {
      other.stop(0);
    }
  }

  @Test
  void header_droppedOnTheWay_isNamed() throws IOException {
    Run run = tampered(text -> text.replaceFirst("\r\nDate: [^\r]*", ""), "GET", WALLETS);
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err()).contains("on the way");
  }

  @Test
  void key_ofAnotherClient_isNamedBecauseTheBasesAreEqual() throws IOException {
    shell.with("COUNTERSIGN_KEY", otherKey().toString());
    Run run = shell.run("explain", "GET", WALLETS);
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err())
        .startsWith("signature_mismatch: both bases are equal, so the keys are not a pair")
        .contains(client.clientId());
  }

  @Test
  void key_thatIsNoPairWithThePublicKeyGiven_isNamed() throws IOException {
    Path registered = home.resolve("registered.pub");
    RSAPrivateCrtKey key = (RSAPrivateCrtKey) client.privateKey();
    Files.writeString(registered, RsaPublicKeys.toPem(RsaPublicKeys.of(key, CryptoProvider.jdk())));
    shell.with("COUNTERSIGN_KEY", otherKey().toString());
    Run run = shell.run("explain", "GET", WALLETS, "--public-key", registered.toString());
    assertThat(run.err())
        .contains("the public key that you gave does not belong to the private key either");
  }

  @Test
  void clientId_mistyped_isNamedWithTheOneThatWasMeant() {
    shell.with("COUNTERSIGN_CLIENT_ID", client.clientId().toUpperCase(Locale.ROOT));
    Run run = shell.run("explain", "GET", WALLETS);
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err())
        .startsWith("client_mistyped: ")
        .contains("it may be " + client.clientId());
  }

  @Test
  void refusal_beyondTheSignature_hasAnAdviceToo() {
    Run run = shell.run("explain", "GET", WALLETS + "?pagesize=1");
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err()).startsWith("parameter_unknown: the signature is valid, but");
    assertThat(run.out()).contains("the service says: ").contains("request id ");
  }

  @Test
  void answer_thatIsNoProblemDocument_isSomebodyElses() throws IOException {
    HttpServer gateway =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    gateway.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(502, -1);
          exchange.close();
        });
    gateway.start();
    try {
      String url = "http://localhost:" + gateway.getAddress().getPort() + "/x";
      Run run = shell.with("COUNTERSIGN_BASE_URL", "").run("explain", "GET", url);
      assertThat(run.code()).isEqualTo(5);
      assertThat(run.err()).startsWith("http_502: ").contains("something between here and");
    } finally {
      gateway.stop(0);
    }
  }

  @Test
  void service_thatCannotBeReached_isNoConnection() throws IOException {
    try (DeafPort port = DeafPort.open()) {
      Run run = shell.with("COUNTERSIGN_BASE_URL", port.url()).run("explain", "GET", WALLETS);

      assertThat(run.code()).isEqualTo(4);
    }
  }

  @Test
  void json_ofARefusal_hasBothBasesOnBothStreams() throws IOException {
    Run run =
        tampered(
            text -> text.replaceFirst("Host: [^\r]*", "Host: internal.example"),
            "GET",
            WALLETS,
            "--json");
    JsonNode result = JsonMapper.shared().readTree(run.out());
    assertThat(result.path("accepted").asBoolean(true)).isFalse();
    assertThat(result.path("status").asInt()).isEqualTo(401);
    assertThat(result.path("reason").asString("")).isEqualTo("signature_mismatch");
    assertThat(result.path("cause").asString(""))
        .isEqualTo(LikelyCause.AUTHORITY_DIFFERS.sentence());
    JsonNode error = JsonMapper.shared().readTree(run.err());
    for (JsonNode document : List.of(result, error)) {
      assertThat(document.path("signatureBase").asString("")).contains("http://internal.example");
      assertThat(document.path("signedBase").asString("")).contains("http://localhost:");
    }
    assertThat(error.path("exitCode").asInt()).isEqualTo(5);
  }

  @Test
  void json_ofAnAcceptedRequest_hasTheBaseThatWasSigned() {
    JsonNode result =
        JsonMapper.shared().readTree(shell.run("explain", "GET", WALLETS, "--json").out());
    assertThat(result.path("accepted").asBoolean()).isTrue();
    assertThat(result.path("reason").asString("")).isEqualTo("accepted");
    assertThat(result.path("signedBase").asString("")).startsWith("\"@method\": GET");
    assertThat(result.has("signatureBase")).isFalse();
  }

  @Test
  void url_ofAnotherOriginThanTheBaseUrl_isAUsageError() {
    Run run = shell.run("explain", "GET", "https://elsewhere.example/x");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--base-url https://elsewhere.example");
  }

  @Test
  void arguments_thatDoNotGoTogether_areMistyped() {
    assertThat(shell.run("explain").code()).isEqualTo(2);
    assertThat(shell.run("explain", "GET").code()).isEqualTo(2);
    assertThat(shell.run("explain", "GET", "/x", "--request", "f").code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "--base, nofile",
    "--signed-url, https://api.example.com",
    "--at, 1795201375",
    "--scheme, http"
  })
  void option_ofACapturedRequest_isNotPassedOver(String option, String value) {
    Run run = shell.run("explain", "GET", WALLETS, option, value);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("usage: --request FILE is required for " + option + "\n");
  }

  private Run tampered(UnaryOperator<String> change, String... args) throws IOException {
    try (TamperingRelay relay = TamperingRelay.to(service.port(), change)) {
      String[] all = new String[args.length + 1];
      all[0] = "explain";
      System.arraycopy(args, 0, all, 1, args.length);
      return shell.with("COUNTERSIGN_BASE_URL", relay.url()).run(all);
    }
  }

  private static String withNextSecond(String text) {
    Matcher date = SECONDS.matcher(text);
    return date.replaceFirst(
        found -> {
          int second = Integer.parseInt(found.group(2));
          // A difference of one second is tolerated as rounding, so only the signature can reveal
          // it.
          return found.group(1)
              + String.format(Locale.ROOT, "%02d", second == 59 ? 58 : second + 1)
              + found.group(3);
        });
  }

  private Path otherKey() throws IOException {
    KeyPair other = Capture.KEYS;
    Path file = home.resolve("other.key");
    Files.writeString(file, RsaPrivateKeys.toPem(other.getPrivate()));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  private static void assertRefused(Run run, String reason, LikelyCause cause) {
    assertThat(run.err()).isEqualTo(reason + ": " + cause.sentence() + "\n");
    assertThat(run.code()).isEqualTo(5);
  }
}
