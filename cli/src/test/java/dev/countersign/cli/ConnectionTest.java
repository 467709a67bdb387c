package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    assertThat(connection("--base-url", "https://option.example").baseUri())
        .hasToString("https://option.example");
    assertThat(connection("--profile", "test").baseUri()).hasToString("https://variable.example");
  }

  @Test
  void setting_inProfileAlone_isTheProfiles() {
    assertThat(connection().keyFile()).isEqualTo(home.resolve("default.key"));
    assertThat(connection("--profile", "test").baseUri()).hasToString("https://test.example");
    shell.with("COUNTERSIGN_PROFILE", "test");
    assertThat(connection().baseUri()).hasToString("https://test.example");
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
    assertThatThrownBy(() -> connection("--profile", "tset").baseUri())
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
    assertThat(connection().resolve("https://a.example/x")).hasToString("https://a.example/x");
  }

  @Test
  void resolve_ofWhatIsNoUrl_isMistyped() {
    assertThatThrownBy(() -> connection().resolve("/a b"))
        .hasMessageContaining("percent-encode it");
    assertThatThrownBy(() -> connection("--base-url", "api.example.com").baseUri())
        .hasMessageContaining("'api.example.com' is not a URL such as");
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
