package dev.countersign.server.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.OperatorCommands;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.TestClock;
import dev.countersign.server.clients.TestRoles;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.operators.signin.OneTimeLinkService;
import dev.countersign.server.operators.signin.Passwords;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OperatorAccountCommandsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String LINK = "http://localhost:8080/portal/setup#[A-Za-z0-9_-]{43}";

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();
  private final SecureRandom random = new SecureRandom();
  private String typed = "";
  private boolean interactive;
  private Path data;

  @BeforeEach
  void prepare() {
    data = folder.resolve("data");
  }

  @Test
  void add_name_printsTheLinkAloneOnTheFirstLine() {
    Result result = run("add", "ada", "--role", "administrator");
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).isEqualTo("countersign: created a new data directory " + data + "\n");
    assertThat(result.out().lines().findFirst().orElseThrow()).matches(LINK);
    assertThat(result.out())
        .contains("name   ada")
        .contains("role   administrator")
        .contains("until  2026-11-20T13:00:00Z");
    assertThat(run("add", "vic").out()).contains("role   viewer");
  }

  @Test
  void add_url_isWhereTheLinkLeads() {
    String url = "https://api.example.com/portal";
    for (String given : List.of(url, url + "/")) {
      assertThat(run("add", "ada" + given.length(), "--url", given).out())
          .startsWith(url + "/setup#");
    }
  }

  @Test
  void add_writtenWrongly_isRefusedAndChangesNothing() {
    run("add", "ada");
    assertUsage(run("add"), "Missing required parameter: 'NAME'");
    assertUsage(run("add", "bob", "--role", "boss"), "must be administrator or viewer, was boss");
    for (String url : List.of("portal", "ftp://x/portal", "https://x/#a", "https://x/?a")) {
      assertUsage(run("add", "bob", "--url", url), "--url must be a URL such as https://");
    }
    assertUsage(
        run("add", "bob", "--url", "https://ops_host/portal"),
        "--url cannot be used: the host \"ops_host\" has the character \"_\" (U+005F)");
    assertFailure(run("add", "ADA"), "there is already an operator with the name ADA");
    assertFailure(run("add", "a\u202eb"), "visible characters");
    assertThat(operators()).hasSize(1);
  }

  @Test
  void add_json_isOneObject() {
    JsonNode added = JSON.readTree(run("add", "ada", "--json").out());
    assertThat(added.get("name").asString()).isEqualTo("ada");
    assertThat(added.get("role").asString()).isEqualTo("viewer");
    assertThat(added.get("hasPassword").asBoolean()).isFalse();
    assertThat(added.get("link").asString()).matches(LINK);
    assertThat(added.get("linkExpiresAt").asString()).isEqualTo("2026-11-20T13:00:00Z");
    assertThat(run("list", "--json").out()).doesNotContain("link");
  }

  @Test
  void list_operators_isATableByName() {
    run("add", "vic");
    run("add", "Ada Lovelace", "--role", "administrator");
    run("remove", "vic", "--yes");
    run("add", "zoe");
    run("disable", "zoe");
    List<String> lines = run("list").out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).matches("NAME +ROLE +STATUS +SIGN-IN +LAST SIGN-IN +ID");
    assertThat(lines.get(1))
        .matches("Ada Lovelace +administrator +enabled +not set yet +never +[A-Za-z0-9_-]{20}");
    assertThat(lines.get(2)).matches("zoe +viewer +disabled +not set yet +never +\\S+");
  }

  @Test
  void list_noneYet_saysHowToMakeOne() {
    run("add", "ada");
    run("remove", "ada", "--yes");
    assertThat(run("list").out()).contains("countersign operators add");
  }

  @Test
  void reset_operator_printsAnotherLink() {
    String first = firstLine(run("add", "ada"));
    Result reset = run("reset", "Ada");
    assertThat(firstLine(reset)).matches(LINK).isNotEqualTo(first);
    assertThat(redeemed(first)).isFalse();
    assertThat(redeemed(firstLine(reset))).isTrue();
    assertThat(run("list").out()).contains("password");
  }

  @Test
  void disableEnable_operator_saysWhatItIsNow() {
    run("add", "ada");
    assertThat(run("disable", "ada").out()).isEqualTo("ada is disabled\n");
    assertFailure(run("reset", "ada"), "enable the account");
    assertThat(run("enable", operators().get(0).get("id").asString()).out())
        .isEqualTo("ada is enabled\n");
    JsonNode disabled = JSON.readTree(run("disable", "ada", "--json").out());
    assertThat(disabled.get("status").asString()).isEqualTo("disabled");
  }

  @Test
  void lastAdministrator_disabledOrRemoved_isRefused() {
    assertThat(redeemed(firstLine(run("add", "ada", "--role", "administrator")))).isTrue();
    assertFailure(run("disable", "ada"), "ada is the last administrator who can sign in");
    assertFailure(run("remove", "ada", "--yes"), "ada is the last administrator");
  }

  @Test
  void remove_withoutYes_asksFirst() {
    run("add", "ada");
    assertFailure(run("remove", "ada"), "repeat the command with --yes");
    interactive = true;
    typed = "n\n";
    assertThat(run("remove", "ada").err()).contains("Remove ada permanently? [y/N]");
    assertThat(operators()).hasSize(1);
    typed = "y\n";
    assertThat(run("remove", "ada").out()).isEqualTo("ada is removed\n");
    assertThat(operators()).isEmpty();
  }

  @Test
  void anyCommand_nobodyOfThatNameOrNoData_isRefused() {
    assertFailure(run("list"), "there is no Countersign data in " + data);
    run("add", "ada");
    for (String command : List.of("reset", "disable", "enable", "remove")) {
      assertFailure(run(command, "bob"), "there is no operator with the name bob");
    }
  }

  @Test
  void group_alone_namesItsCommands() {
    Result result = execute("operators");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("add, list, reset, disable, enable, remove");
  }

  @Test
  void changes_byCommands_areAuditedAsThatUsers() {
    run("add", "ada");
    try (Database database = Database.open(StoreSettings.embedded(data))) {
      assertThat(
              database.<String>read(
                  sql ->
                      sql.sql("SELECT author || ' ' || channel || ' ' || action FROM audit_entries")
                          .query(String.class)
                          .single()))
          .isEqualTo("root command operator.added");
    }
  }

  private JsonNode operators() {
    return JSON.readTree(run("list", "--json").out());
  }

  private boolean redeemed(String link) {
    try (Database database = Database.open(StoreSettings.embedded(data))) {
      OneTimeLinkService links =
          new OneTimeLinkService(
              database, new AuditTrail(database, clock), Passwords.argon2id(random), clock, random);
      String token = link.substring(link.indexOf('#') + 1);
      if (links.find(token).isEmpty()) {
        return false;
      }
      InetAddress address = InetAddress.getLoopbackAddress();
      return links.redeem(token, "seven quiet rivers", address).hasPassword();
    }
  }

  private static String firstLine(Result result) {
    return result.out().lines().findFirst().orElseThrow();
  }

  private Result run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("operators"));
    all.addAll(Arrays.asList(arguments));
    all.addAll(List.of("--data", data.toString()));
    return execute(all.toArray(String[]::new));
  }

  private Result execute(String... arguments) {
    CommandLine root = new CommandLine(new Root());
    OperatorCommands.addTo(root, this::open, TypedInput.of(typed, interactive));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    root.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return new Result(root.execute(arguments), out.toString(), err.toString());
  }

  private OperatorContext open(Path directory, MissingData missing) {
    StoreSettings settings = StoreSettings.embedded(directory);
    missing.check(settings);
    Database database = Database.open(settings);
    AuditTrail audit = new AuditTrail(database, clock);
    return new OperatorContext(
        database,
        new ClientStore(database, TestRoles.rules(), clock, random),
        TestRoles.reach(),
        new OperatorStore(database, audit, clock, random),
        Author.command("root"),
        () -> "http://localhost:8080/portal",
        clock);
  }

  private static void assertFailure(Result result, String message) {
    assertThat(result.exitCode()).isEqualTo(1);
    assertOneLine(result, message);
  }

  private static void assertUsage(Result result, String message) {
    assertThat(result.exitCode()).isEqualTo(2);
    assertOneLine(result, message);
  }

  private static void assertOneLine(Result result, String message) {
    assertThat(result.err()).startsWith("countersign: ").contains(message).hasLineCount(1);
    assertThat(result.out()).isEmpty();
  }

  @Command(name = "countersign")
  private static final class Root {}

  private record Result(int exitCode, String out, String err) {}
}
