package dev.countersign.server.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.RsaKeyPairs;
import dev.countersign.server.clients.TestRoles;
import dev.countersign.server.nodes.Heartbeat;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class OperatorCommandsTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder;
  private final CommandBench bench = new CommandBench("ada");
  private Path data;

  @BeforeEach
  void prepare() throws IOException {
    data = folder.resolve("data");
    for (int i = 0; i < 4; i++) {
      Files.writeString(key(i), RsaPublicKeys.toPem(RsaKeyPairs.publicKey(i)));
    }
  }

  // add

  @Test
  void add_wholeClient_printsItsIdAloneOnTheFirstLine() {
    CommandResult result = add(0);
    assertThat(result.exitCode()).isZero();
    assertThat(result.err())
        .startsWith("countersign: created a new data directory ")
        .hasLineCount(1);
    assertThat(result.out().lines().findFirst().orElseThrow()).matches("cl-[0-9a-z]{18}");
    assertThat(result.out())
        .contains("name       Acme")
        .contains("whitelist  10.0.0.0/8")
        .contains("roles      ledger-viewer")
        .containsPattern("key        SHA256:[A-Za-z0-9+/]{43}, RSA 2048 bits");
  }

  @Test
  void add_intoANewDirectory_saysSo() {
    assertThat(add(0).err()).isEqualTo("countersign: created a new data directory " + data + "\n");
    assertThat(add(1).err()).isEmpty();
  }

  @Test
  void add_valuesWithoutCommas_asksForThem() {
    CommandResult result = bench.run(addArguments(0, "--allow", "127.0.0.1", "::1"));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .startsWith(
            "countersign: '::1' does not belong to any option: separate values with commas");
  }

  @Test
  void add_json_isOneObjectOnOneLine() {
    CommandResult result = bench.run(addArguments(0, "--json"));
    assertThat(result.out().lines()).hasSize(1);
    JsonNode client = JSON.readTree(result.out());
    assertThat(client.get("clientId").asString()).startsWith("cl-");
    assertThat(client.get("name").asString()).isEqualTo("Acme");
    assertThat(client.get("status").asString()).isEqualTo("enabled");
    assertThat(client.get("whitelist").get(0).asString()).isEqualTo("10.0.0.0/8");
    assertThat(client.get("opensToEveryone").asBoolean()).isFalse();
    assertThat(client.get("keys").get(0).get("bits").asInt()).isEqualTo(2048);
    assertThat(client.get("keys").get(0).get("live").asBoolean()).isTrue();
  }

  @Test
  void add_listsRepeatedOrBetweenCommas_areOne() {
    String id =
        bench
            .run(
                "clients",
                "add",
                "--name",
                "Acme",
                "--public-key",
                key(0).toString(),
                "--allow",
                "10.0.0.1, 10.0.0.2",
                "--allow",
                "10.0.0.3",
                "--role",
                "ledger-viewer,ledger-operator",
                "--data",
                data.toString())
            .firstLine();
    JsonNode client = show(id);
    assertThat(client.get("whitelist")).hasSize(3);
    assertThat(client.get("roles")).hasSize(2);
  }

  @Test
  void add_everyone_warnsOnStandardError() {
    List<String> lists = List.of("0.0.0.0", "0.0.0.0/1,128.0.0.0/1", "::/0");
    for (int i = 0; i < lists.size(); i++) {
      CommandResult result = bench.run(addArguments(i, "--allow", lists.get(i)));
      assertThat(result.exitCode()).isZero();
      assertThat(result.err())
          .contains(
              "countersign: warning: the network whitelist of "
                  + result.firstLine()
                  + " is open to everyone");
      assertThat(result.firstLine()).matches("cl-[0-9a-z]{18}");
    }
  }

  @Test
  void add_keyFromStandardInput_isTaken() {
    bench.typed = RsaPublicKeys.toPem(RsaKeyPairs.publicKey(2));
    CommandResult result =
        bench.run(
            "clients",
            "add",
            "--name",
            "Acme",
            "--public-key",
            "-",
            "--allow",
            "10.0.0.1",
            "--role",
            "ledger-viewer",
            "--data",
            data.toString());
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void add_idBroughtAlong_isPrinted() {
    assertThat(bench.run(addArguments(0, "--client-id", "legacy-7")).firstLine())
        .isEqualTo("legacy-7");
    bench.run(addArguments(1, "--client-id", "legacy-7")).assertFailure("choose another");
  }

  @Test
  void add_nameThatLooksLikeAFileOfArguments_isAName() {
    CommandResult result = bench.run(addArguments(0, "--client-id", "x1"));
    assertThat(result.exitCode()).isZero();
    assertThat(
            bench
                .run("clients", "update", "x1", "--name", "@home", "--data", data.toString())
                .out())
        .contains("name       @home");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--allow | 10.0.0.1/8 | write 10.0.0.0/8 for the range",
        "--allow | 010.0.0.1 | is not an IP address",
        "--allow | , | network whitelist",
        "--allow | 10.0.0.1\u201310.0.0.9 | has the character U+2013 after 8 others",
        "--allow | 10.0.\u200b0.1 | has the character U+200B after 5 others",
        "--role | admin | there is no role \"admin\"; the roles of the configuration are"
            + " ledger-operator, ledger-viewer",
        "--client-id | cl-own | check digits are wrong",
        "--client-id | a b | visible ASCII characters",
      })
  void add_valueNotAllowed_isRefusedInOneLine(String option, String value, String message) {
    bench.run(addArguments(0, option, value)).assertFailure(message);
  }

  @Test
  void add_invisibleCharactersAroundAnAddress_areDropped() {
    CommandResult result =
        bench.run(addArguments(0, "--allow", "\ufeff10.0.0.7\u200b,\u200e 10.0.1.0/24\u200f"));
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).contains("10.0.0.7, 10.0.1.0/24");
  }

  @Test
  void add_keyAsVaultReturnsIt_isRead() throws IOException {
    String pem = Files.readString(key(0)).replace("\n", "\\n");
    Files.writeString(key(0), "{\"data\":{\"keys\":{\"1\":{\"public_key\":\"" + pem + "\"}}}}");
    assertThat(add(0).exitCode()).isZero();
  }

  @Test
  void add_privateKey_isRefusedAsLeakedWithoutShowingIt() throws IOException {
    String pem = RsaPrivateKeys.toPem(RsaKeyPairs.keyPair(0).getPrivate());
    Files.writeString(key(0), pem);
    CommandResult result = add(0);
    result.assertFailure("treat it as leaked");
    for (String line : pem.lines().toList()) {
      assertThat(result.err() + result.out()).doesNotContain(line);
    }
    assertThat(data).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "not a key", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"})
  void add_noKey_isRefusedInOneLine(String text) throws IOException {
    Files.writeString(key(0), text);
    add(0).assertFailure("");
    assertThat(data).doesNotExist();
  }

  @Test
  void add_fileMissing_namesTheFile() throws IOException {
    Files.delete(key(0));
    add(0).assertFailure(key(0).toString());
  }

  @Test
  void add_keyTwice_namesTheFirstClient() {
    String id = add(0).firstLine();
    add(0).assertFailure("belongs to client " + id);
  }

  @Test
  void add_optionMissing_isAnErrorOfUsage() {
    CommandResult result = bench.run("clients", "add", "--name", "Acme");
    result.assertUsage("Missing required options");
    assertThat(result.err()).contains("see countersign clients add --help");
    bench.run("clients", "add", "--nmae", "x").assertUsage("Unknown option: '--nmae'");
    bench.run(addArguments(0, "--public-key", "a\0b")).assertUsage("--public-key");
  }

  // attributes

  @Test
  void add_attributes_areShown() {
    CommandResult result =
        bench.run(
            addArguments(
                0,
                "--attribute",
                "customerId=4711",
                "--attribute",
                "customerId=a, b",
                "--attribute",
                "region=*"));
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("  attribute  customerId: 4711, \"a, b\"\n", "  attribute  region: everything\n");
    JsonNode attributes = show(result.firstLine()).get("attributes");
    assertThat(attributes.toString())
        .isEqualTo(
            "{\"customerId\":{\"everything\":false,\"values\":[\"4711\",\"a, b\"]},"
                + "\"region\":{\"everything\":true,\"values\":[]}}");
    assertThat(bench.run("clients", "list", "--data", data.toString()).out())
        .contains("customerId=4711,\"a, b\" region=*");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "region=north | attribute region must be a 64-bit integer, was \"north\"",
        "tenant=x | attribute tenant must be a UUID such as",
        "customerId= | attribute customerId must be text of 1 to 255 visible characters",
        "nothing=x | there is no attribute \"nothing\"; the attributes of the configuration are"
            + " customerId,",
      })
  void add_attributeNotAllowed_isRefusedInOneLine(String attribute, String message) {
    bench.run(addArguments(0, "--attribute", attribute)).assertFailure(message);
  }

  @Test
  void attribute_mistyped_isAnErrorOfUsage() {
    bench.run(addArguments(0, "--attribute", "customerId")).assertUsage("must be NAME=VALUE");
    bench.run(addArguments(0, "--attribute", "=x")).assertUsage("must be NAME=VALUE");
    bench
        .run(addArguments(0, "--attribute", "customerId=*", "--attribute", "customerId=1"))
        .assertUsage("attribute customerId: give either * or values");
    bench
        .run("clients", "update", "x", "--attribute", "region=1", "--no-attribute", "region")
        .assertUsage("attribute region: give either --attribute or --no-attribute");
  }

  @Test
  void update_attributes_replaceTheValuesOfThoseAttributes() {
    String id =
        bench
            .run(addArguments(0, "--attribute", "customerId=4711", "--attribute", "region=7"))
            .firstLine();
    String[] update = {"clients", "update", id, "--data", data.toString()};
    assertThat(bench.run(with(update, "--attribute", "customerId=4712")).out())
        .contains("attribute  customerId: 4712\n", "attribute  region: 7\n");
    assertThat(bench.run(with(update, "--no-attribute", "region")).out())
        .contains("attribute  customerId: 4712\n")
        .doesNotContain("region");
    bench
        .run(with(update, "--no-attribute", "nothing"))
        .assertFailure("there is no attribute \"nothing\"");
  }

  @Test
  void attributeThatLeftTheConfiguration_isShownAsAdmittingNothing() {
    String id = bench.run(addArguments(0, "--attribute", "region=7")).firstLine();
    bench.reach = new ClientReach(TestRoles.ledger(), Attributes.parse(Map.of()), List.of());
    assertThat(bench.run("clients", "show", id, "--data", data.toString()).out())
        .contains("region: 7 (admits nothing: attribute region is not in the configuration)");
    assertThat(show(id).get("attributes").get("region").get("problem").asString())
        .isEqualTo("attribute region is not in the configuration");
  }

  @Test
  void clientThatLacksAnAttribute_isSaidToSeeNothing() {
    bench.reach =
        TestRoles.reach(
            new ClientReach.ScopedListing(
                "/ledger/v1/wallets", Permission.of("ledger:wallets:read"), Set.of("customerId")));
    CommandResult added = bench.run(addArguments(0));
    String id = added.firstLine();
    assertThat(added.err())
        .contains(
            "countersign: warning: " + id + " sees nothing of /ledger/v1/wallets: no customerId");
    assertThat(bench.run("clients", "show", id, "--data", data.toString()).out())
        .endsWith("  sees nothing of /ledger/v1/wallets: no customerId\n");
    assertThat(show(id).get("seesNothingOf").toString())
        .isEqualTo("[{\"path\":\"/ledger/v1/wallets\",\"missing\":[\"customerId\"]}]");
    CommandResult given =
        bench.run(
            "clients", "update", id, "--attribute", "customerId=4711", "--data", data.toString());
    assertThat(given.err()).isEmpty();
    assertThat(bench.run("clients", "show", id, "--data", data.toString()).out())
        .doesNotContain("sees nothing");
  }

  private static String[] with(String[] arguments, String... more) {
    return Stream.of(arguments, more).flatMap(Arrays::stream).toArray(String[]::new);
  }

  // list, show, update

  @Test
  void list_clients_isATableByName() {
    String acme = add(0).firstLine();
    String zenith = bench.run(addArguments(1, "--name", "Zenith")).firstLine();
    CommandResult result = bench.run("clients", "list", "--data", data.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(result.out().lines().toList())
        .satisfiesExactly(
            header -> assertThat(header).startsWith("CLIENT ID              NAME    STATUS"),
            first -> assertThat(first).startsWith(acme).contains("Acme    enabled  1"),
            second -> assertThat(second).startsWith(zenith).contains("Zenith  enabled  1"));
    JsonNode all =
        JSON.readTree(bench.run("clients", "list", "--json", "--data", data.toString()).out());
    assertThat(all).hasSize(2);
  }

  @Test
  void list_noClients_saysSo() {
    String id = add(0).firstLine();
    bench.run("clients", "remove", id, "--yes", "--data", data.toString());
    assertThat(bench.run("clients", "list", "--data", data.toString()).out())
        .contains("no clients yet");
    assertThat(bench.run("clients", "list", "--json", "--data", data.toString()).out().strip())
        .isEqualTo("[]");
  }

  @Test
  void show_unknown_isRefused() {
    add(0);
    bench
        .run("clients", "show", "nobody", "--data", data.toString())
        .assertFailure("there is no client with");
    bench.run("clients", "show").assertUsage("Missing required parameter: 'ID'");
  }

  @Test
  void failure_quotingControlCharacters_cannotSteerTheTerminal() {
    add(0);
    CommandResult result =
        bench.run("clients", "show", "\u009b2J\u202e\u001b[2Jx", "--data", data.toString());
    result.assertFailure("there is no client with");
    assertThat(result.err()).doesNotContain("\u009b", "\u202e", "\u001b");
  }

  @Test
  void update_givenLists_replace() {
    String id = add(0).firstLine();
    CommandResult result =
        bench.run(
            "clients",
            "update",
            id,
            "--allow",
            "192.0.2.0/24",
            "--role",
            "ledger-operator",
            "--data",
            data.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(result.out())
        .contains("name       Acme")
        .contains("whitelist  192.0.2.0/24")
        .contains("roles      ledger-operator");
  }

  @Test
  void update_nothing_isAnErrorOfUsage() {
    bench.run("clients", "update", "x").assertUsage("give --name, --allow, --role");
  }

  @Test
  void disableAndEnable_sayWhatIs() {
    String id = add(0).firstLine();
    assertThat(bench.run("clients", "disable", id, "--data", data.toString()).out().strip())
        .isEqualTo(id + " (Acme) is disabled");
    assertThat(show(id).get("status").asString()).isEqualTo("disabled");
    assertThat(
            JSON.readTree(
                    bench.run("clients", "enable", id, "--json", "--data", data.toString()).out())
                .get("status")
                .asString())
        .isEqualTo("enabled");
  }

  // remove

  @Test
  void remove_nobodyAtATerminal_needsYes() {
    String id = add(0).firstLine();
    bench.typed = "y\n";
    bench.run("clients", "remove", id, "--data", data.toString()).assertFailure("--yes");
    assertThat(show(id).get("status").asString()).isEqualTo("enabled");
    CommandResult removed = bench.run("clients", "remove", id, "--yes", "--data", data.toString());
    assertThat(removed.exitCode()).isZero();
    bench.run("clients", "show", id, "--data", data.toString()).assertFailure("was removed at");
  }

  @ParameterizedTest
  @CsvSource({"y, true", "YES, true", "n, false", "'', false", "yep, false"})
  void remove_atATerminal_asks(String answer, boolean removed) {
    String id = add(0).firstLine();
    bench.interactive = true;
    bench.typed = answer + "\n";
    CommandResult result = bench.run("clients", "remove", id, "--data", data.toString());
    assertThat(result.err()).startsWith("Remove " + id + " (Acme) permanently? [y/N] ");
    assertThat(result.exitCode()).isEqualTo(removed ? 0 : 1);
    bench.interactive = false;
    assertThat(bench.run("clients", "show", id, "--data", data.toString()).exitCode())
        .isEqualTo(removed ? 1 : 0);
  }

  // keys

  @Test
  void addKey_endOthers_showsBothKeysAndTheEnd() {
    String id = add(0).firstLine();
    bench.clock.advance(Duration.ofMinutes(1));
    CommandResult result = addKey(id, 1, "--end-others", "7d");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).contains("ends 2026-11-27T12:01:00Z");
    assertThat(show(id).get("keys")).hasSize(2);
    addKey(id, 2).assertFailure("at most two live keys");
    assertThat(addKey(id, 2, "--end-others", "now").exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "7", "-1d", "7w", "367d", "999999d", "PT-1H", "P9999999999D"})
  void addKey_endThatIsNoDuration_isAnErrorOfUsage(String end) {
    addKey("x", 0, "--end-others", end).assertUsage("--end-others");
  }

  @ParameterizedTest
  @ValueSource(strings = {"now", "0s", "30m", "12h", "366d", "PT36H", "pt1h"})
  void addKey_endThatIsADuration_isTaken(String end) {
    String id = add(0).firstLine();
    assertThat(addKey(id, 1, "--end-others", end).exitCode()).isZero();
  }

  @Test
  void removeKey_uniqueBeginning_removesIt() {
    String id = add(0).firstLine();
    String first = fingerprint(show(id), 0);
    removeKey(id, first).assertFailure("is the last live key");
    bench.clock.advance(Duration.ofMinutes(1));
    addKey(id, 1);
    CommandResult result = removeKey(id, first.substring(0, 20));
    assertThat(result.exitCode()).isZero();
    assertThat(show(id).get("keys")).hasSize(1);
    removeKey(id, first).assertFailure("that begins like this");
  }

  @Test
  void removeKey_leavesOneThatEnds_warns() {
    String id = add(0).firstLine();
    bench.clock.advance(Duration.ofMinutes(1));
    addKey(id, 1, "--end-others", "1d");
    CommandResult result = removeKey(id, fingerprint(show(id), 1));
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).contains("countersign: warning: the remaining key ends at");
  }

  // the data directory, backup, the group

  @Test
  void everyCommandButAdd_dataMissing_saysSoAndMakesNothing() {
    String missing = data.toString();
    for (CommandResult result :
        List.of(
            bench.run("clients", "list", "--data", missing),
            bench.run("clients", "show", "x", "--data", missing),
            bench.run("clients", "update", "x", "--name", "y", "--data", missing),
            bench.run("clients", "disable", "x", "--data", missing),
            bench.run("clients", "enable", "x", "--data", missing),
            bench.run("clients", "remove", "x", "--yes", "--data", missing),
            addKey("x", 0),
            removeKey("x", "y"),
            bench.run("backup", folder.resolve("copy").toString(), "--data", missing))) {
      result.assertFailure("there is no Countersign data in " + missing);
    }
    assertThat(data).doesNotExist();
  }

  @Test
  void dataThatIsAFile_isRefusedInOneLine() throws IOException {
    Files.writeString(data, "x");
    add(0).assertFailure(data.toString());
  }

  @Test
  void commands_whileAnotherProcessHasTheStoreOpen_work() {
    try (Database service = Database.open(StoreSettings.embedded(data))) {
      String id = add(0).firstLine();
      assertThat(bench.clients(service).find(id)).map(Client::name).contains("Acme");
    }
  }

  @Test
  void backup_store_isACopyThatCommandsWorkOn() {
    String id = add(0).firstLine();
    Path copy = folder.resolve("copy");
    CommandResult result = bench.run("backup", copy.toString(), "--data", data.toString());
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).isZero();
    assertThat(bench.run("clients", "show", id, "--data", copy.toString()).out()).contains("Acme");
    bench.run("backup", copy.toString(), "--data", data.toString()).assertFailure(copy.toString());
  }

  @Test
  void clients_unknownCommand_isAnErrorOfUsage() {
    bench.run("clients", "delete", "x").assertUsage("'delete'");
    bench.run("clients", "list", "x").assertUsage("'x'");
  }

  @Test
  void clients_alone_namesItsCommands() {
    bench.run("clients").assertUsage("clients needs one of add, list, show");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "add",
        "list",
        "show",
        "update",
        "disable",
        "enable",
        "remove",
        "add-key",
        "remove-key"
      })
  void help_ofEachCommand_showsAnExample(String command) {
    CommandResult result = bench.run("clients", command, "--help");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).contains("Example:", "countersign clients " + command, "--data");
  }

  @Test
  void nodes_withoutAService_saysThatNoneRuns() {
    add(0);
    assertThat(bench.run("nodes", "--data", data.toString()).out()).contains("no node is running");
  }

  @Test
  void nodes_heartbeatOfAService_isListed() {
    add(0);
    try (Database database = Database.open(StoreSettings.embedded(data))) {
      NodeFitness fitness = new NodeFitness(Duration.ofMinutes(1), System::nanoTime);
      fitness.roundCompleted(fitness.now());
      new Heartbeat(
              database,
              new Heartbeat.Identity(() -> "node-1:8080", "0.1.0"),
              fitness,
              Clock.systemUTC(),
              Duration.ofSeconds(30))
          .beatAlone();
    }
    assertThat(bench.run("nodes", "--data", data.toString()).out().lines())
        .satisfiesExactly(
            header -> assertThat(header).startsWith("NAME         VERSION  STATE"),
            line ->
                assertThat(line).matches("node-1:8080  0\\.1\\.0    running  .* s ago .* s .*"));
    JsonNode json =
        new JsonMapper().readTree(bench.run("nodes", "--json", "--data", data.toString()).out());
    assertThat(json.size()).isEqualTo(1);
    assertThat(json.path(0).path("name").asString()).isEqualTo("node-1:8080");
    assertThat(json.path(0).path("draining").asBoolean(true)).isFalse();
  }

  @Test
  void help_ofNodes_showsAnExample() {
    assertThat(bench.run("nodes", "--help").out()).contains("Example:", "countersign nodes");
  }

  @Test
  void help_ofBackup_showsAnExample() {
    assertThat(bench.run("backup", "--help").out()).contains("Example:", "countersign backup");
  }

  @Test
  void failure_thatNobodyForesaw_isOneLineWithoutItsMessage() {
    CommandResult result =
        bench.run(
            (directory, missing) -> {
              throw new IllegalStateException("SELECT secret\nFROM table");
            },
            "clients",
            "list");
    result.assertFailure("unexpected IllegalStateException at ");
    assertThat(result.err()).doesNotContain("SELECT");
  }

  private CommandResult add(int key) {
    return bench.run(addArguments(key));
  }

  private String[] addArguments(int key, String... more) {
    List<String> options = Arrays.asList(more);
    List<String> all = new ArrayList<>(List.of("clients", "add"));
    List<String> defaults =
        List.of(
            "--name",
            "Acme",
            "--public-key",
            key(key).toString(),
            "--allow",
            "10.0.0.0/8",
            "--role",
            "ledger-viewer",
            "--data",
            data.toString());
    for (int i = 0; i < defaults.size(); i += 2) {
      if (!options.contains(defaults.get(i))) {
        all.addAll(defaults.subList(i, i + 2));
      }
    }
    all.addAll(options);
    return all.toArray(String[]::new);
  }

  private CommandResult addKey(String id, int key, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "clients",
                "add-key",
                id,
                "--public-key",
                key(key).toString(),
                "--data",
                data.toString()));
    all.addAll(Arrays.asList(more));
    return bench.run(all.toArray(String[]::new));
  }

  private CommandResult removeKey(String id, String fingerprint) {
    return bench.run("clients", "remove-key", id, fingerprint, "--data", data.toString());
  }

  private JsonNode show(String id) {
    return JSON.readTree(
        bench.run("clients", "show", id, "--json", "--data", data.toString()).out());
  }

  private static String fingerprint(JsonNode client, int key) {
    return client.get("keys").get(key).get("fingerprint").asString();
  }

  private Path key(int index) {
    return folder.resolve("key" + index + ".pem");
  }
}
