package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.countersign.server.app.RunningService;
import dev.countersign.server.app.ServeOptions;
import dev.countersign.server.commands.CommandResult;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * A service that cannot start reports the reason in one line on standard error and exits with code
 * 1.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartupFailureTest {
  private static final String LISTING =
      """
      countersign:
        listings:
          - path: /bank/v1/accounts
            table: %s
            key: id
            fields:
              id: { type: uuid, generated: true }
              %s
      """;

  /** Parts of lines that other services in this process log if the machine is slow. */
  private static final List<String> LINES_OF_OTHER_SERVICES =
      List.of(
          "Thread starvation or clock leap",
          "because the store fails: ",
          "PostgreSQL was lost; ",
          "the clients cannot be read; ",
          "requests are refused as registry_stale",
          "requests are refused as clock_wrong",
          "the clock of this node is ",
          // Logged by another service while this start configures logging.
          "No appenders present in context");

  @TempDir private Path folder;

  /** The command serve also logs each request. The services that tests share log only warnings. */
  @AfterAll
  static void restoreLevel() {
    LoggingSystem.get(StartupFailureTest.class.getClassLoader())
        .setLogLevel("countersign", LogLevel.WARN);
  }

  private static List<Arguments> configurations() {
    return List.of(
        arguments("countersign:\n  acess: { date: optional }", "unknown.*countersign.acess.date"),
        arguments("countersign:\n  access: { dates: optional }", "countersign.access.dates"),
        arguments(
            "countersign:\n  roles: { x: ['ledger:nope:read'] }", "role x .*ledger:nope:read"),
        arguments("countersign:\n  roles: { x: ['read'] }", "role x.*permission.*read"),
        arguments("countersign:\n  roles: nothing", "countersign.roles .*nothing"),
        arguments("countersign:\n  listings: 7", "countersign.listings .*7"),
        arguments(
            String.format(Locale.ROOT, LISTING, "nope", ""), "/bank/v1/accounts.*no table nope"),
        arguments(
            String.format(Locale.ROOT, LISTING, "wallets", "x: { type: text }"),
            "/bank/v1/accounts.*x"),
        arguments(
            String.format(Locale.ROOT, LISTING, "wallets", "name: { type: uid }"),
            "/bank/v1/accounts.*uid"),
        arguments(
            String.format(Locale.ROOT, LISTING, "wallets", "name: { typ: text }"),
            "unknown settings: countersign.listings\\[0].fields.name.typ"),
        arguments(
            String.format(Locale.ROOT, LISTING, "wallets", "")
                .replace("key:", "creat: true\n      key:"),
            "unknown settings: countersign.listings\\[0].creat"),
        arguments(
            String.format(Locale.ROOT, LISTING, "wallets", "")
                .replace("key:", "totals: often\n      key:"),
            "totals of a listing must be exact, none or . cache: 30s ., was often"),
        arguments(
            String.format(Locale.ROOT, LISTING, "wallets", "")
                .replace("key:", "totals: { cache: 5s }\n      key:"),
            "cache of a listing's totals must be 15s to 1h, such as 30s, was 5s"),
        arguments(
            String.format(Locale.ROOT, LISTING, "wallets", "")
                .replace("key:", "totals: { cach: 30s }\n      key:"),
            "countersign.listings\\[0].totals.cach"),
        arguments(
            "countersign:\n  access: { maximum-age: soon }",
            "countersign.access.maximum-age .*soon, in line 2"),
        arguments("countersign:\n  access: { maximum-age: 2h }", "maximum-age must be 1s to 1h"),
        arguments("countersign:\n  drain-delay: 11m", "drain-delay must be 0s to 10m, was 660s"),
        arguments(
            "countersign:\n  access: { date: sometimes }", "countersign.access.date .*sometimes"),
        arguments(
            "countersign:\n  access: { label: mine }",
            "countersign.access.label .*mine, in line 2"),
        arguments("countersign:\n  access: { body-limit: many }", "body-limit .*many"),
        arguments("countersign:\n  public-urls: ['::']", "countersign.public-urls.*"),
        arguments(
            "countersign:\n  public-urls: ['https://countersign_api:8443']",
            "public-urls: the host \"countersign_api\" has the character \"_\" .U.005F.: .*alias"
                + " countersign-api"),
        arguments("countersign:\n  public-urls: ['ftp://a']", "public-urls: ftp://a .*"),
        arguments(
            "countersign:\n  access: { trusted-proxies: [all] }",
            "access.trusted-proxies: \"all\" is not an IP address.*"),
        arguments(
            "countersign:\n  access: { trusted-proxies: ['0.0.0.0'] }",
            ".*\"0.0.0.0\" would trust every caller"),
        arguments(
            "countersign:\n  access: { trusted-proxies: ['128.0.0.0/1', '0.0.0.0/1'] }",
            ".*\"128.0.0.0/1, 0.0.0.0/1\" would trust every caller"),
        arguments(
            "countersign:\n  access: { trusted-proxies: ['10.0.0.1', '2000::/4', '3000::/4'] }",
            ".*would trust every caller"),
        arguments(
            "countersign:\n  access: { trusted-proxies: ['0.0.0.0/0'] }",
            ".*0.0.0.0/0.*would trust every caller"),
        arguments(
            "countersign:\n  access: { trusted-proxies: ['::/0'] }",
            ".*\"::/0\".*would trust every caller"),
        arguments("countersign: [\n  a: b: c", "not valid YAML.* in line 2"),
        arguments("\tcountersign: 3", "not valid YAML.* in line 1"),
        arguments("server:\n  shutdown: softly", "server.shutdown .*wrong type, in line 2"),
        arguments(
            "server:\n  ssl: { certificate: 'file:/nope.pem',"
                + " certificate-private-key: 'file:/nope.key' }",
            ".*nope.*"),
        arguments(
            "countersign:\n  public-urls: ['https://admin:sec ret@[x']",
            "countersign.public-urls.* wrong type, in line 2"),
        arguments(
            "spring:\n  datasource: { url: 'jdbc:postgresql://localhost:1/x?password=secret' }",
            "PostgreSQL at jdbc:postgresql://localhost:1/x.*refused"),
        arguments("spring:\n  datasource: { url: 'jdbc:mysql://localhost:1/x' }", "jdbc:mysql"));
  }

  /** Each case starts a service, so the quick run has only every fifth one. */
  static Stream<Arguments> testedConfigurations() {
    List<Arguments> all = configurations();
    int step = Boolean.getBoolean("countersign.full") ? 1 : 5;
    return IntStream.range(0, all.size()).filter(i -> i % step == 0).mapToObj(all::get);
  }

  @ParameterizedTest
  @MethodSource("testedConfigurations")
  void configuration_invalid_isReportedInOneLine(String yaml, String message, CapturedOutput output)
      throws Exception {
    Path file = Files.writeString(folder.resolve("c.yaml"), yaml);

    assertFails(message, output, "--config", file.toString());
    assertThat(output.getAll()).doesNotContain("secret", "sec ret");
  }

  @Test
  void configuration_missing_isReportedInOneLine(CapturedOutput output) {
    assertFails("cannot read the configuration file .*nope.yaml", output, "--config", "nope.yaml");
  }

  @Test
  void port_inUse_isReportedInOneLine(CapturedOutput output) throws Exception {
    try (ServerSocket other = new ServerSocket(0)) {
      String port = String.valueOf(other.getLocalPort());
      assertFails("port " + port + " is in use", output, "--port", port);
    }
  }

  @Test
  void port_outOfRange_isAUsageError(CapturedOutput output) {
    CommandResult printed = OperatorShell.run("serve", "--port", "99999");
    assertThat(printed.exitCode()).isEqualTo(2);
    assertThat(printed.err()).startsWith("countersign: ").contains("0 to 65535, was 99999");
    assertThat(OperatorShell.run("demo", "--port", "-1").exitCode()).isEqualTo(2);
    assertThat(output.getOut()).isEmpty();
  }

  @Test
  void dataDirectory_servedByAnotherService_isReportedInOneLine(CapturedOutput output) {
    try (TestService first = TestService.start(folder.resolve("data"), 0)) {
      assertThat(first.port()).isPositive();
      assertFails("data directory .*data is already served by this process", output);
    }
  }

  @Test
  void dataDirectory_unusable_isReportedInOneLine(CapturedOutput output) throws Exception {
    Path data = folder.resolve("data");
    Files.createFile(data);
    assertFails("data directory .* is not a directory", output);
    Files.delete(data);
    Files.createDirectory(
        data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
    assertFails("data directory .* is not writable", output);
  }

  @Test
  @Tag("full")
  void databaseFile_damagedOrReadOnly_isReportedInOneLine(CapturedOutput output) throws Exception {
    Path file = filledFile();
    byte[] sound = Files.readAllBytes(file);

    Files.write(file, Arrays.copyOf(sound, 50));
    assertFails("database file .* is damaged", output);

    Files.write(file, "This is a letter to my aunt, and no database.".repeat(100).getBytes());
    assertFails("database file .* is damaged .it is not a database", output);

    Files.write(file, sound);
    try (RandomAccessFile pages = new RandomAccessFile(file.toFile(), "rw")) {
      byte[] garbage = new byte[8192];
      new Random(1).nextBytes(garbage);
      pages.seek(4096 * 3);
      pages.write(garbage);
    }
    assertFails("database file .* is damaged .[A-Za-z]", output);

    Files.write(file, sound);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    assertFails("database file .* is read-only", output);
  }

  @Test
  @Tag("full")
  void databaseFile_lockedByAnotherProgram_isReportedInOneLine(CapturedOutput output)
      throws Exception {
    Path file = filledFile();
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("PRAGMA locking_mode = EXCLUSIVE");
      statement.execute("BEGIN EXCLUSIVE");
      statement.execute("CREATE TABLE other (a)");
      assertFails("database file .* is locked by another program", output);
    }
  }

  private Path filledFile() {
    Path data = folder.resolve("data");
    try (TestService service = TestService.start(data, 100)) {
      service.register();
    }
    return data.resolve("countersign.db");
  }

  /** Starts the service with these further options, and expects a line that matches the pattern. */
  private void assertFails(String pattern, CapturedOutput output, String... options) {
    int printedBefore = output.getAll().length();
    List<String> arguments =
        new ArrayList<>(List.of("serve", "--data", folder.resolve("data").toString()));
    if (!List.of(options).contains("--port")) {
      arguments.addAll(List.of("--port", "0"));
    }
    arguments.addAll(List.of(options));

    CommandResult printed = OperatorShell.run(arguments.toArray(String[]::new));

    assertThat(printed.exitCode()).isEqualTo(1);
    assertThat(printed.err().lines()).as(printed.err()).hasSize(1);
    assertThat(printed.err()).containsPattern("^countersign: .*" + pattern);
    assertThat(printed.out()).isEmpty();
    assertThat(output.getAll().substring(printedBefore).lines())
        .as("the rest of both streams")
        .filteredOn(line -> LINES_OF_OTHER_SERVICES.stream().noneMatch(line::contains))
        .noneMatch(line -> line.matches(".*(Exception|\tat |WARN|ERROR|FAILED).*"));
  }

  @Test
  void configuredListing_replacesTheBuiltInListings() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("c.yaml"),
            String.format(Locale.ROOT, LISTING, "wallets", "name: { type: text }")
                + "  roles: { teller: ['bank:accounts:read'] }\n");
    try (RunningService service =
        RunningService.start(
            new ServeOptions(folder.resolve("data"), 3), file, List.of("server.port=0"))) {
      TestClient client = new TestService(service).register("teller", "127.0.0.1", "::1");
      RawResponse page = client.get("/bank/v1/accounts").send();
      assertThat(page.json().path("totalElements").asInt()).as(page.body()).isEqualTo(3);
      assertThat(page.json().path("content").get(0).propertyNames()).containsExactly("id", "name");
      assertThat(client.get("/ledger/v1/wallets").send().status()).isEqualTo(404);
    }
  }

  @Test
  @Tag("full")
  void configuredRole_withTheNameOfABuiltInRole_replacesItsPermissions() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("c.yaml"),
            "countersign:\n  roles: { ledger-operator: ['ledger:wallets:read'] }\n");
    try (RunningService service =
        RunningService.start(
            new ServeOptions(folder.resolve("data"), 3), file, List.of("server.port=0"))) {
      TestClient client = new TestService(service).register();
      assertThat(client.get("/ledger/v1/wallets").send().status()).isEqualTo(200);
      assertThat(client.post("/ledger/v1/wallets", "{}").send().reason()).isEqualTo("role_missing");
    }
  }
}
