package dev.countersign.server.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.NewClient;
import dev.countersign.server.clients.RsaKeyPairs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AuditCommandsTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder;
  private final CommandBench bench = new CommandBench("ada");
  private String clientId;

  @BeforeEach
  void changeAClient() {
    NewClient acme =
        new NewClient(
            "Acme", List.of("10.0.0.1"), List.of("ledger-viewer"), RsaKeyPairs.publicKey(0), null);
    try (OperatorContext context = bench.open(folder, MissingData.CREATE)) {
      clientId = context.clients().add(acme).clientId();
    }
    assertThat(execute("clients", "disable", clientId).exitCode()).isZero();
  }

  @Test
  void list_changesByCommand_namesTheUser() {
    CommandResult result = execute("audit", "list");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out().lines().toList())
        .hasSize(3)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).startsWith("SEQ  AT ");
              assertThat(lines.get(1))
                  .startsWith("2    2026-11-20T12:00:00Z  ada     command  client.disabled")
                  .endsWith("{\"status\":\"enabled\"} -> {\"status\":\"disabled\"}");
              assertThat(lines.get(2)).contains("client:" + clientId);
            });
  }

  @Test
  void list_json_isAnArrayOfEntries() {
    JsonNode entries = JSON.readTree(execute("audit", "list", "--json").out());
    assertThat(entries).hasSize(2);
    JsonNode added = entries.get(1);
    assertThat(added.get("seq").asLong()).isEqualTo(1);
    assertThat(added.get("author").asString()).isEqualTo("ada");
    assertThat(added.get("channel").asString()).isEqualTo("command");
    assertThat(added.has("address")).isFalse();
    assertThat(added.get("before")).isEmpty();
    assertThat(added.get("after").get("name").asString()).isEqualTo("Acme");
    assertThat(entries.get(0).get("previousHash")).isEqualTo(added.get("hash"));
  }

  @Test
  void list_filtered_showsThoseAlone() {
    assertThat(listed("--action", "client.added")).isEqualTo(1);
    assertThat(listed("--author", "ada")).isEqualTo(2);
    assertThat(listed("--author", "eve")).isZero();
    assertThat(listed("--subject", "client:" + clientId)).isEqualTo(2);
    assertThat(listed("--text", "acme")).isEqualTo(1);
    assertThat(listed("--from", "2026-11-20", "--to", "2026-11-21")).isEqualTo(2);
    assertThat(listed("--from", "2026-11-20T13:00:01+01:00")).isZero();
    assertThat(listed("--limit", "1")).isEqualTo(1);
    assertThat(execute("audit", "list", "--limit", "1").err())
        .isEqualTo("countersign: 1 of 2 entries; show more with --limit\n");
    assertThat(execute("audit", "list", "--author", "eve").out())
        .isEqualTo("no matching entries\n");
  }

  @Test
  void list_textOfAStranger_cannotMoveTheCursor() {
    try (OperatorContext context = bench.open(folder, MissingData.REFUSE)) {
      Author stranger = Author.operator("\u001b[2J\u202eevil\n\u009b", null);
      context.clients().by(stranger).enable(clientId);
    }
    CommandResult result = execute("audit", "list");
    assertThat(result.out().lines()).hasSize(4);
    assertThat(result.out()).contains("?[2J?evil??").doesNotContain("\u001b", "\u202e");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--limit=0",
        "--limit=10001",
        "--from=yesterday",
        "--to=2026-11-20T99",
        "--from=+10000-01-01",
        "--to=+999999999-12-31T23:59:59Z"
      })
  void list_optionMistyped_isAUsageError(String option) {
    CommandResult result = execute("audit", "list", option);
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).startsWith("countersign: ").hasLineCount(1);
  }

  @Test
  void verify_wholeTrail_printsItsHead() {
    CommandResult result = execute("audit", "verify");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .isEqualTo("the audit trail is intact: 2 entries, head " + head() + "\n");
    assertThat(execute("audit", "verify", "--head", head().toUpperCase(Locale.ROOT)).out())
        .endsWith("; entry 2 of 2 has the noted hash\n");
  }

  @Test
  void verify_tamperedTrail_failsWithOneLine() {
    try (OperatorContext context = bench.open(folder, MissingData.REFUSE)) {
      for (String statement :
          List.of(
              "DROP TRIGGER audit_entries_no_update",
              "UPDATE audit_entries SET author = 'eve' WHERE seq = 1")) {
        context.database().write(sql -> sql.sql(statement).update());
      }
    }
    CommandResult result = execute("audit", "verify");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .isEqualTo(
            "countersign: the audit trail is broken at entry 1: its fields do not match its"
                + " hash\n");
  }

  @Test
  void verify_headThatIsNotThere_fails() {
    CommandResult result = execute("audit", "verify", "--head", "f".repeat(64));
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .startsWith("countersign: no entry of the audit trail has the hash ffff")
        .hasLineCount(1);
    assertThat(execute("audit", "verify", "--head", "ff").exitCode()).isEqualTo(2);
    assertThat(execute("audit", "verify", "--head", "0".repeat(64)).exitCode()).isEqualTo(1);
  }

  @Test
  void export_intoANewFile_holdsAllEntries() throws Exception {
    Path file = folder.resolve("audit.csv");
    CommandResult result = execute("audit", "export", file.toString());
    assertThat(result.out()).isEqualTo("2 entries written to " + file + "\n");
    assertThat(Files.readAllLines(file))
        .hasSize(3)
        .last()
        .asString()
        .startsWith("\"2\",\"2026-11-20T12:00:00.000Z\",\"ada\",\"command\",,")
        .endsWith("\"" + head() + "\"");
    CommandResult again = execute("audit", "export", file.toString());
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("already exists").hasLineCount(1);
    assertThat(Files.readAllLines(file)).hasSize(3);
  }

  @Test
  void export_thatFails_leavesNoFile() {
    try (OperatorContext context = bench.open(folder, MissingData.REFUSE)) {
      context.database().write(sql -> sql.sql("DROP TABLE audit_entries").update());
    }
    Path file = folder.resolve("audit.csv");
    assertThat(execute("audit", "export", file.toString()).exitCode()).isEqualTo(1);
    assertThat(file).doesNotExist();
  }

  @Test
  void export_whereNoFileCanBe_fails() {
    CommandResult result = execute("audit", "export", folder.resolve("no/audit.csv").toString());
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("cannot be written").hasLineCount(1);
  }

  @Test
  void audit_alone_saysWhatThereIs() {
    CommandResult result = bench.run("audit");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("list, verify, export");
  }

  private int listed(String... options) {
    List<String> all = new ArrayList<>(List.of("audit", "list", "--json"));
    all.addAll(Arrays.asList(options));
    return JSON.readTree(execute(all.toArray(String[]::new)).out()).size();
  }

  private String head() {
    return JSON.readTree(execute("audit", "list", "--json").out()).get(0).get("hash").asString();
  }

  private CommandResult execute(String... arguments) {
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    all.addAll(List.of("--data", folder.toString()));
    return bench.run(all.toArray(String[]::new));
  }
}
