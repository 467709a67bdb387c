package dev.countersign.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.cli.TestShell;
import dev.countersign.cli.TestShell.Run;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ConnectionTest {
  @TempDir private Path home;
  private TestShell shell;

  @BeforeEach
  void open() throws IOException {
    shell = new TestShell(home);
    Path config = home.resolve(".config/countersign/config");
    Files.createDirectories(config.getParent());
    Files.writeString(
        config,
        """
        [default]
        base_url = https://default.example/api/
        key = ~/default.key
        [test]
        base_url = https://test.example
        """);
  }

  private Connection connection(String... args) {
    Connection connection =
        new Connection(shell.environment(new ByteArrayOutputStream(), new ByteArrayOutputStream()));
    new CommandLine(new Host(connection)).parseArgs(args);
    return connection;
  }

  @Test
  void setting_inAllPlaces_isTheOptions() {
    shell.with("COUNTERSIGN_BASE_URL", "https://variable.example");

    assertThat(connection("--base-url", "https://option.example").baseUrl())
        .hasToString("https://option.example");
    assertThat(connection().baseUrl()).hasToString("https://variable.example");
    shell.with("COUNTERSIGN_PROFILE", "test");
    assertThat(connection().baseUrl()).hasToString("https://variable.example");
  }

  @Test
  void setting_inATypedProfile_winsOverTheVariable() {
    shell.with("COUNTERSIGN_BASE_URL", "https://variable.example");
    shell.with("COUNTERSIGN_CLIENT_ID", "c-variable");

    Connection connection = connection("--profile", "test");

    assertThat(connection.baseUrl()).hasToString("https://test.example");
    assertThat(connection.clientId()).isEqualTo("c-variable");
  }

  @Test
  void relativeKey_inAProfile_isBesideIt() throws IOException {
    Path config = home.resolve(".config/countersign/config");
    Files.writeString(config, "[default]\nkey = keys/partner.key\n");

    assertThat(connection().keyFile()).isEqualTo(config.resolveSibling("keys/partner.key"));
  }

  @Test
  void setting_inProfileAlone_isTheProfiles() {
    assertThat(connection().keyFile()).isEqualTo(home.resolve("default.key"));
    assertThat(connection("--profile", "test").baseUrl()).hasToString("https://test.example");
    shell.with("COUNTERSIGN_PROFILE", "test");
    assertThat(connection().baseUrl()).hasToString("https://test.example");
  }

  @Test
  void setting_nowhere_isNamedWithAllPlaces() {
    assertThatThrownBy(() -> connection().clientId())
        .hasMessageContaining("--client-id")
        .hasMessageContaining("COUNTERSIGN_CLIENT_ID")
        .hasMessageContaining("countersign configure");
  }

  @Test
  void profile_thatIsUnknown_isNamedWithThoseThereAre() {
    assertThatThrownBy(() -> connection("--profile", "tset").baseUrl())
        .hasMessageContaining("no profile 'tset', it has default, test");
  }

  @Test
  void configFile_ofTheEnvironment_isRead() throws IOException {
    Path other = Files.writeString(home.resolve("other"), "[default]\nclient_id = c-9\n");

    shell.with("COUNTERSIGN_CONFIG_FILE", other.toString());

    assertThat(connection().clientId()).isEqualTo("c-9");
  }

  @Test
  void resolve_ofAPath_isUnderTheBaseUrl() {
    assertThat(connection().resolve("/v1/x?a=b"))
        .hasToString("https://default.example/api/v1/x?a=b");
    assertThat(connection().resolve("v1/x")).hasToString("https://default.example/api/v1/x");
    assertThat(connection().resolve("https://DEFAULT.example:443/x"))
        .hasToString("https://DEFAULT.example:443/x");
  }

  @Test
  void resolve_ofAnotherOrigin_isRefused() {
    assertThatThrownBy(() -> connection().resolve("https://a.example/x"))
        .hasMessageContaining("https://a.example/x is not under the base URL")
        .hasMessageContaining("give --base-url https://a.example");
    assertThatThrownBy(() -> connection().resolve("http://default.example/x"))
        .hasMessageContaining("is not under the base URL");
  }

  @Test
  void everyCommandThatSigns_refusesAnotherOrigin() {
    for (String command : List.of("call", "sign", "explain")) {
      Run run =
          shell.run(command, "GET", "http://127.0.0.1:1/x", "--base-url", "https://h.example");

      assertThat(run.code()).as(command).isEqualTo(2);
      assertThat(run.err()).contains("http://127.0.0.1:1/x is not under the base URL");
    }
  }

  @Test
  void options_beforeTheCommand_countLikeThoseBehindIt() {
    Run before = shell.run("--profile", "test", "sign", "GET", "/x", "--key", "none.key");
    Run both = shell.run("--base-url=https://a.example", "--client-id", "c-1", "sign", "GET", "/");

    assertThat(before.err()).startsWith("usage: there is no clientId");
    assertThat(both.err()).startsWith("key_unusable: ").contains("default.key");
  }

  @Test
  void resolve_ofWhatIsNoUrl_isAUsageError() {
    assertThatThrownBy(() -> connection().resolve("/a b"))
        .hasMessageContaining("percent-encode it");
    assertThatThrownBy(() -> connection("--base-url", "api.example.com").baseUrl())
        .hasMessageContaining("'api.example.com' is not a URL such as");
    assertThatThrownBy(() -> connection("--base-url", "http://countersign_api:8080").baseUrl())
        .hasMessageContaining("cannot be called: the host \"countersign_api\" has the character");
    assertThatThrownBy(() -> connection("--base-url", "http://a b/x").baseUrl())
        .hasMessageContaining("cannot be called: the host \"a b\" has the character U+0020");
    assertThatThrownBy(() -> connection("--base-url", "http://[fe80::1%25eth0]").baseUrl())
        .hasMessageContaining("is not an IPv6 address in brackets, without a zone");
    assertThatThrownBy(() -> connection("--base-url", "http://a.1b").baseUrl())
        .hasMessageContaining("ends with a part that begins with a digit");
    assertThatThrownBy(() -> connection("--base-url", "http://me:secret@a_b").baseUrl())
        .hasMessageContaining("must not contain a user or a password")
        .hasMessageNotContaining("secret");
  }

  /** A command that connects. */
  @Command(name = "host")
  private static final class Host {
    @Mixin private final Connection connection;

    Host(Connection connection) {
      this.connection = connection;
    }
  }
}
