package dev.countersign.server.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.operators.signin.OneTimeLinkService;
import dev.countersign.server.operators.signin.Passwords;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OperatorAccountCommandsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String LINK = "http://localhost:8080/portal/setup#[A-Za-z0-9_-]{43}";

  @TempDir private Path folder;
  private final CommandBench bench = new CommandBench("root");
  private final SecureRandom random = new SecureRandom();
  private Path data;

  @BeforeEach
  void prepare() {
    data = folder.resolve("data");
  }

  @Test
  void add_name_printsTheLinkAloneOnTheFirstLine() {
    CommandResult result = run("add", "ada", "--role", "administrator");
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
    run("add").assertUsage("Missing required parameter: 'NAME'");
    run("add", "bob", "--role", "boss").assertUsage("must be administrator or viewer, was boss");
    for (String url : List.of("portal", "ftp://x/portal", "https://x/#a", "https://x/?a")) {
      run("add", "bob", "--url", url).assertUsage("--url must be a URL such as https://");
    }
    run("add", "bob", "--url", "https://admin:s3cret@ops.example.com/portal")
        .assertUsage(
            "must be a URL such as https://countersign.example.com/portal, was" + " https://…");
    CommandResult malformed =
        run("add", "bob", "--url", "https://admin:s3c ret@ops.example.com/portal");
    malformed.assertUsage("not a URL such as https://countersign.example.com/portal");
    assertThat(malformed.err()).doesNotContain("s3c");
    run("add", "bob", "--url", "https://ops_host/portal")
        .assertUsage(
            "--url cannot be used: the host \"ops_host\" has the character \"_\" (U+005F)");
    run("add", "ADA").assertFailure("there is already an operator with the name ADA");
    run("add", "a\u202eb").assertFailure("visible characters");
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
    String first = run("add", "ada").firstLine();
    CommandResult reset = run("reset", "Ada");
    assertThat(reset.firstLine()).matches(LINK).isNotEqualTo(first);
    assertThat(redeemed(first)).isFalse();
    assertThat(redeemed(reset.firstLine())).isTrue();
    assertThat(run("list").out()).contains("password");
  }

  @Test
  void disableEnable_operator_saysWhatItIsNow() {
    run("add", "ada");
    assertThat(run("disable", "ada").out()).isEqualTo("ada is disabled\n");
    run("reset", "ada").assertFailure("enable the account");
    assertThat(run("enable", operators().get(0).get("id").asString()).out())
        .isEqualTo("ada is enabled\n");
    JsonNode disabled = JSON.readTree(run("disable", "ada", "--json").out());
    assertThat(disabled.get("status").asString()).isEqualTo("disabled");
  }

  @Test
  void lastAdministrator_disabledOrRemoved_isRefused() {
    assertThat(redeemed(run("add", "ada", "--role", "administrator").firstLine())).isTrue();
    run("disable", "ada").assertFailure("ada is the last administrator who can sign in");
    run("remove", "ada", "--yes").assertFailure("ada is the last administrator");
  }

  @Test
  void remove_withoutYes_asksFirst() {
    run("add", "ada");
    run("remove", "ada").assertFailure("repeat the command with --yes");
    bench.interactive = true;
    bench.typed = "n\n";
    assertThat(run("remove", "ada").err()).contains("Remove ada permanently? [y/N]");
    assertThat(operators()).hasSize(1);
    bench.typed = "y\n";
    assertThat(run("remove", "ada").out()).isEqualTo("ada is removed\n");
    assertThat(operators()).isEmpty();
  }

  @Test
  void anyCommand_nobodyOfThatNameOrNoData_isRefused() {
    run("list").assertFailure("there is no Countersign data in " + data);
    run("add", "ada");
    for (String command : List.of("reset", "disable", "enable", "remove")) {
      run(command, "bob").assertFailure("there is no operator with the name bob");
    }
  }

  @Test
  void group_alone_namesItsCommands() {
    CommandResult result = bench.run("operators");
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
              database,
              new AuditTrail(database, bench.clock),
              Passwords.argon2id(random),
              bench.clock,
              random);
      String token = link.substring(link.indexOf('#') + 1);
      if (links.find(token).isEmpty()) {
        return false;
      }
      InetAddress address = InetAddress.getLoopbackAddress();
      return links.redeem(token, "seven quiet rivers", address).hasPassword();
    }
  }

  private CommandResult run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("operators"));
    all.addAll(Arrays.asList(arguments));
    all.addAll(List.of("--data", data.toString()));
    return bench.run(all.toArray(String[]::new));
  }
}
