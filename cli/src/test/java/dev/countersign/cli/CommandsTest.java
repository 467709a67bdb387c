package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import tools.jackson.databind.json.JsonMapper;

/** What all commands have in common: help, mistyped words, colours. */
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
  @CsvSource({
    "lsit, did you mean list",
    "kes, did you mean keys",
    "list /x --fromat csv, did you mean --format",
    "list /x --sise 5, did you mean --size",
    "keys genrate, did you mean generate",
    "list, Missing required parameter: 'URL'",
    "list /x --format xml, xml",
    "completion tcsh, tcsh",
  })
  void word_thatIsMistyped_exit2WithOneLine(String line, String expected) {
    Run run = shell.run(line.split(" "));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("usage: ").contains(expected).hasLineCount(1);
  }

  @Test
  void mistyped_withJson_isOneObject() {
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
  void nothing_isMistyped() {
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
