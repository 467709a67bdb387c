package dev.countersign.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.countersign.release.Markdown.Block;
import dev.countersign.release.Markdown.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the examples of docs/calling.md with a service, each if its interpreter is installed. */
@Tag("full")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallingIT {
  private static final Path DOCS = Release.sources().resolve("docs");
  private static final Path CALLING = DOCS.resolve("calling.md");
  private static final Pattern SHELL = Pattern.compile("(?ms)^ *```sh\\n(.*?)^ *```$");
  private static final JsonMapper JSON = JsonMapper.shared();

  /** An example, and the words of the command that runs it. */
  enum Example {
    SHELL("openssl-curl.sh", "sh"),
    PYTHON("call.py", "python3"),
    NODE("call.mjs", "node"),
    PHP("call.php", "php"),
    GO("call.go", "go run");

    private final String file;
    private final String start;

    Example(String file, String start) {
      this.file = file;
      this.start = start;
    }

    Command command(String... words) {
      List<String> all = new ArrayList<>(List.of(start.split(" ")));
      Command.skipWithout(all.get(0));
      all.add(file);
      all.addAll(List.of(words));
      return Command.in(DOCS.resolve("examples"), all.toArray(String[]::new));
    }
  }

  private Served service;
  private OpensslPartner opensslPartner;
  private OpensslPartner stranger;

  @BeforeAll
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void serve(@TempDir Path folder) throws IOException, InterruptedException {
    Command.require("openssl", "curl");
    Path release = Release.copyTo(folder.resolve("countersign"));
    Path data = folder.resolve("data");
    service = Served.start(release, "serve", "--port", "0", "--demo", "--data", data.toString());
    opensslPartner = OpensslPartner.register(release, data, "ledger-operator");
    stranger = OpensslPartner.register(release, data, "ledger-viewer");
    opensslPartner.awaitKnownTo(service);
    stranger.awaitKnownTo(service);
  }

  @AfterAll
  void stop() {
    if (service != null) {
      service.close();
    }
  }

  private Command call(Example example, String... words) {
    return opensslPartner.runs(example.command(words), service);
  }

  @ParameterizedTest
  @EnumSource
  void list_withoutQuery_givesTheFirstPage(Example example) throws Exception {
    JsonNode page = JSON.readTree(call(example, "list").run().succeeded().out());
    assertThat(page.get("content").size()).isEqualTo(20);
    assertThat(page.get("first").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void list_commaInSortPlainOrEncoded_givesTheSamePage(Example example) throws Exception {
    String plain = call(example, "list", "size=5&sort=currencyCode,desc").run().succeeded().out();
    String encoded =
        call(example, "list", "size=5&sort=currencyCode%2Cdesc").run().succeeded().out();
    assertThat(JSON.readTree(encoded).get("content").size()).isEqualTo(5);
    assertThat(JSON.readTree(encoded).get("sort").get("sorted").asBoolean()).isTrue();
    assertThat(encoded).isEqualTo(plain);
  }

  @ParameterizedTest
  @EnumSource
  void list_sortTwice_keepsBothInTheirOrder(Example example) throws Exception {
    String query = "size=100&sort=currencyCode,asc&sort=name,desc";
    String out = call(example, "list", query).run().succeeded().out();
    List<JsonNode> wallets = JSON.readTree(out).get("content").valueStream().toList();
    JsonNode first = wallets.get(0).get("currencyCode");
    List<String> names =
        wallets.stream()
            .filter(wallet -> wallet.get("currencyCode").equals(first))
            .map(wallet -> wallet.get("name").asString())
            .toList();
    assertThat(names).hasSizeGreaterThan(1).isSortedAccordingTo(Comparator.reverseOrder());
  }

  @ParameterizedTest
  @EnumSource
  void list_queryThatIsEncodedOnTheWay_isSignedAsItIsSent(Example example) throws Exception {
    assumeFalse(example == Example.SHELL, "the shell's example sends a query as it is given");
    Command.Outcome refused = call(example, "list", "wörter=a b|c'd\"[e]^").run();
    assertThat(refused.exit()).isNotZero();
    // The parameter is refused as unknown, which happens only after the signature was verified.
    assertThat(refused.err()).startsWith("parameter_unknown: ").contains("page, size, sort");
  }

  @ParameterizedTest
  @EnumSource
  void create_nameBeyondAscii_isTakenAsItWasWritten(Example example) throws Exception {
    // Two equal bodies in the same second would be the same request, sent twice.
    String body = "{\"name\": \"Träume & 夢 of " + example + "\", \"currencyCode\": \"EUR\"}";
    JsonNode wallet = JSON.readTree(call(example, "create", body).run().succeeded().out());
    assertThat(wallet.get("name").asString()).isEqualTo("Träume & 夢 of " + example);
  }

  @ParameterizedTest
  @EnumSource
  void list_keyOfSomebodyElse_isRefusedWithTheReason(Example example) throws Exception {
    Command.Outcome refused =
        call(example, "list").with("PRIVATE_KEY", stranger.privateKey().toString()).run();
    assertThat(refused.exit()).isNotZero();
    assertThat(refused.out() + refused.err()).contains("signature_mismatch");
  }

  @ParameterizedTest
  @EnumSource
  void list_withoutItsKey_saysSoInOneLineAndSendsNothing(Example example) throws Exception {
    Path none = stranger.privateKey().resolveSibling("none.pem");
    Path broken = stranger.privateKey().resolveSibling("broken.pem");
    Files.writeString(broken, "no key");
    for (Path key : List.of(none, broken)) {
      Command.Outcome refused = call(example, "list").with("PRIVATE_KEY", key.toString()).run();
      assertThat(refused.exit()).isNotZero();
      assertThat(refused.out()).isEmpty();
      // go run prints the exit code of the program too.
      String said = refused.err().replace("exit status 1\n", "");
      assertThat(said.lines()).as(said).hasSize(1);
      assertThat(said).doesNotContain("signature_");
    }
  }

  @ParameterizedTest
  @EnumSource
  void list_withoutClientId_saysWhatIsMissing(Example example) throws Exception {
    Command.Outcome refused =
        example
            .command("list")
            .with("BASE_URL", service.url())
            .with("PRIVATE_KEY", opensslPartner.privateKey().toString())
            .run();
    assertThat(refused.exit()).isNotZero();
    assertThat(refused.err()).contains("CLIENT_ID");
  }

  @Test
  void marksOfTheDocument_areWhatIsRunHere() throws IOException {
    List<Row> rows = document().rowsUnder("## The examples");
    assertThat(rows).allMatch(row -> List.of("run", "not run").contains(row.cells().get(2)));
    assertThat(rows.stream().filter(row -> row.cells().get(2).equals("run")).map(Row::name))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Example.values()).map(example -> example.file).toList());
  }

  @ParameterizedTest
  @CsvSource({"python,call.py", "js,call.mjs", "php,call.php", "go,call.go", "csharp,Call.cs"})
  void codeOfTheDocument_isThatOfTheExample(String language, String file) throws IOException {
    List<Block> blocks = document().blocks(language);
    assertThat(blocks).isNotEmpty();
    String example = Files.readString(DOCS.resolve("examples").resolve(file));
    assertThat(blocks).allMatch(block -> example.contains(block.text()));
  }

  @Test
  void baseOfTheDocument_hasTheHashThatIsPrintedThere() throws Exception {
    String base = document().blocks("text").get(0).text().stripTrailing();
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(base.getBytes(UTF_8));
    assertThat(Files.readString(CALLING))
        .contains(base.length() + " bytes", HexFormat.of().formatHex(hash));
  }

  @Test
  void commandsOfTheDocument_work() throws Exception {
    Command.skipWithout("python3");
    StringBuilder script = new StringBuilder();
    for (MatchResult block : SHELL.matcher(Files.readString(CALLING)).results().toList()) {
      script.append(block.group(1));
    }
    String commands =
        script
            .toString()
            .replace("https://api.example.com", service.url())
            .replaceAll("cl-[0-9a-z]+", opensslPartner.clientId())
            .replace("partner.pem", opensslPartner.privateKey().toString());
    String out = Command.shell(DOCS.resolve("examples"), commands).run().succeeded().out();
    assertThat(JSON.readTree(out).get("content").size()).isEqualTo(5);
  }

  private static Markdown document() throws IOException {
    return Markdown.read(CALLING);
  }
}
