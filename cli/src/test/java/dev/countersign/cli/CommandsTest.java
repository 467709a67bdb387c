package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.profile.ProfileSetting;
import dev.countersign.cli.terminal.CliException;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** The common behaviour of all commands: help, mistyped words, colours. */
class CommandsTest {
  @TempDir private Path home;
  private TestShell shell;

  @BeforeEach
  void open() {
    shell = new TestShell(home);
  }

  static Stream<String> everyCommand() {
    TestShell any = new TestShell(Path.of("."));
    return names(
        "",
        Commands.all(any.environment(new ByteArrayOutputStream(), new ByteArrayOutputStream())));
  }

  private static Stream<String> names(String path, CommandLine command) {
    return Stream.concat(
        Stream.of(path),
        command.getSubcommands().entrySet().stream()
            .flatMap(sub -> names((path + " " + sub.getKey()).strip(), sub.getValue())));
  }

  @ParameterizedTest(name = "countersign {0}")
  @MethodSource("everyCommand")
  void help_ofEveryCommand_describesItAndHasAnExample(String command) {
    Run run = shell.run((command + " --help").strip().split(" "));

    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("Usage: countersign").contains("  countersign " + command);
    assertThat(run.out().substring(run.out().lastIndexOf("\n\n")))
        .matches(
            "(?s)\\s*(Examples?|Begin with):\\n  countersign .*|(?s)\\s*Examples?:\\n  source .*");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "lsit | there is no command 'lsit'; did you mean list?",
        "kes | did you mean keys",
        "lsit --help | there is no command 'lsit'; did you mean list?",
        "keys genrate --help | there is no command 'keys genrate'; did you mean generate?",
        "nonsense --help | there is no command 'nonsense'; see countersign --help",
        "--profile test lsit /x | there is no command 'lsit'; did you mean list?",
        "list /x --fromat csv | there is no option '--fromat'; did you mean --format?",
        "list /x --sise 5 --fromat csv | there is no option '--sise'; did you mean --size?",
        "list /x --sise=5 | there is no option '--sise'; did you mean --size?",
        "keys genrate | there is no command 'keys genrate'; did you mean generate?",
        "list /x /y | unexpected argument '/y'; see countersign list --help",
        "list | URL is missing; see countersign list --help",
        "call | METHOD is missing; see countersign call --help",
        "call GET | URL is missing; see countersign call --help",
        "list /x --size | --size needs a value, ",
        "list /x --size many | --size must be a whole number, was 'many'; see countersign list",
        "list /x --all --all | --all can be given only once; see countersign list --help",
        "list /x --format xml | --format must be one of table, json, jsonl, csv, was 'xml'",
        "completion tcsh | SHELL must be one of bash, zsh, fish, was 'tcsh'",
        "keys rotate --overlap soon | --overlap: 'soon' must be a duration such as 24h",
      })
  void word_thatIsMistyped_exit2WithOneLine(String line, String expected) {
    Run run = shell.run(line.split(" "));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("usage: ").contains(expected).hasLineCount(1);
  }

  @ParameterizedTest(name = "countersign {0}")
  @MethodSource("everyCommand")
  void everyCommand_takesTheConnectionAndTellsItsVersion(String command) {
    CommandLine found =
        Commands.all(shell.environment(new ByteArrayOutputStream(), new ByteArrayOutputStream()));
    for (String word : command.isEmpty() ? new String[0] : command.split(" ")) {
      found = found.getSubcommands().get(word);
    }
    assertThat(found.getCommandSpec().optionsMap())
        .containsKeys(Connection.OPTIONS.toArray(String[]::new));

    Run version = shell.run((command + " -V").strip().split(" "));

    assertThat(version.code()).isZero();
    assertThat(version.out()).startsWith("countersign ").hasLineCount(1);
  }

  @Test
  void connectionOptions_areThoseOfTheSettingsAndTheProfile() {
    assertThat(Connection.OPTIONS)
        .containsAll(Arrays.stream(ProfileSetting.values()).map(ProfileSetting::option).toList())
        .contains("--profile")
        .hasSize(ProfileSetting.values().length + 1);
  }

  @Test
  void helpOfCompletion_isSilentAboutTheConnection() {
    assertThat(shell.run("completion", "--help").out())
        .contains("SHELL")
        .doesNotContain("--base-url", "--profile");
    assertThat(shell.run("completion", "bash", "--profile", "test").code()).isZero();
  }

  @Test
  void help_ofTheRoot_isThatOfAllCommands() {
    StringWriter all = new StringWriter();
    Commands.all(shell.environment(new ByteArrayOutputStream(), new ByteArrayOutputStream()))
        .usage(new PrintWriter(all), CommandLine.Help.Ansi.OFF);

    assertThat(shell.run("--help").out()).isEqualTo(all.toString());
    assertThat(shell.run("-h").out()).isEqualTo(all.toString());
  }

  @Test
  void lackOfMemory_exit1WithTheRemedy() {
    InputStream large =
        new InputStream() {
          @Override
          public int read() {
            throw new OutOfMemoryError("Java heap space");
          }
        };

    Run run = shell.runWith(large, "sign", "POST", "https://a.example/", "-d", "@-");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo("failed: Java ran out of memory; set COUNTERSIGN_JAVA_OPTS=-Xmx2g\n");
  }

  @Test
  void home_isTheShells() {
    String account = "/home/account";

    assertThat(Countersign.home(Map.of("HOME", "/elsewhere"), account))
        .isEqualTo(Path.of("/elsewhere"));
    assertThat(Countersign.home(Map.of("HOME", "elsewhere"), account)).isEqualTo(Path.of(account));
    assertThat(Countersign.home(Map.of(), account)).isEqualTo(Path.of(account));
  }

  /** No path contains NUL. In the locale C, no path contains a letter such as ö, either. */
  @Test
  void home_thatIsNoPath_isAnErrorWithTheFix() {
    Map<String, String> unusable = Map.of("HOME", "/home/\0");

    assertThatThrownBy(() -> Countersign.home(unusable, "/home/account"))
        .isInstanceOf(CliException.class)
        .hasMessageStartingWith("the path of the home directory cannot be used: ")
        .hasMessageContaining("LC_ALL");
    assertThatThrownBy(() -> Countersign.home(Map.of(), "/home/\0"))
        .isInstanceOf(CliException.class);
    assertThat(Countersign.home(Map.of("HOME", "/elsewhere"), "/home/\0"))
        .isEqualTo(Path.of("/elsewhere"));
  }

  @Test
  void file_thatIsNoPath_isAUsageError() {
    Run run = shell.run("keys", "inspect", "a\0b");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: 'a").contains("is not a path: ").hasLineCount(1);
  }

  @Test
  void usageError_withJson_isOneObject() {
    Run run = shell.run("list", "--json");

    assertThat(new JsonMapper().readTree(run.err()).path("exitCode").asInt()).isEqualTo(2);
  }

  @Test
  void version_isPrinted() {
    Run run = shell.run("--version");

    assertThat(run.code()).isZero();
    assertThat(run.out()).startsWith("countersign ");
  }

  @Test
  void noCommand_isAUsageError() {
    assertThat(shell.run().code()).isEqualTo(2);
  }

  @Test
  void help_onATerminal_isColouredUnlessNoColor() {
    shell.with(new TestTerminal());
    assertThat(shell.run("list", "--help").out()).contains("\u001b[");

    shell.with("NO_COLOR", "1");
    assertThat(shell.run("list", "--help").out()).doesNotContain("\u001b");
  }

  @Test
  void help_intoAPipe_isPlain() {
    assertThat(shell.run("--help").out()).doesNotContain("\u001b");
  }
}
