package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.profile.ProfileSetting;
import dev.countersign.cli.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Checks that docs/cli.md agrees with the code. */
class DocumentTest {
  private static String document = "";

  @BeforeAll
  static void read() throws IOException {
    Path root = Path.of(System.getProperty("countersign.root", ".."));
    document = Files.readString(root.resolve("docs/cli.md"));
  }

  @Test
  void exitCodes_areThoseOfTheEnum() {
    List<String> rows = document.lines().filter(line -> line.matches("\\| [0-9]+ \\|.*")).toList();

    assertThat(rows)
        .containsExactlyElementsOf(
            Arrays.stream(ExitCode.values())
                .map(code -> "| " + code.code() + " | " + code.meaning() + " |")
                .toList());
  }

  @Test
  void settings_areNamedInAllThreePlaces() {
    for (ProfileSetting setting : ProfileSetting.values()) {
      assertThat(document)
          .contains(
              "| `"
                  + setting.option()
                  + "` | `"
                  + setting.variable()
                  + "` | `"
                  + setting.key()
                  + "` |");
    }
  }

  @Test
  void everyCommandAndOption_isThere() {
    CommandLine root =
        Commands.all(
            new TestShell(Path.of("."))
                .environment(new ByteArrayOutputStream(), new ByteArrayOutputStream()));

    root.getSubcommands().forEach((name, command) -> isThere("countersign " + name, command));
  }

  private static void isThere(String name, CommandLine command) {
    assertThat(document).contains(name);
    command.getCommandSpec().options().stream()
        .filter(option -> !option.usageHelp() && !option.versionHelp())
        .forEach(option -> assertThat(document).as(name).contains("`" + option.longestName()));
    command.getSubcommands().forEach((sub, below) -> isThere(name + " " + sub, below));
  }
}
