package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.testing.Waits;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionCommandTest {
  @TempDir private Path home;

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void script_ofAShell_isOneThatTheShellReads(String shell) throws Exception {
    Run run = new TestShell(home).run("completion", shell);
    Path script = Files.writeString(home.resolve("script"), run.out());

    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("configure", "keys", "rotate", "passphrase-file");
    assumeTrue(isInstalled(shell), shell + " is not installed, so its script is not checked");
    Process process =
        new ProcessBuilder(shell, "-n", script.toString()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).isEmpty();
    assertThat(Waits.forExit(process)).isZero();
  }

  @Test
  void fish_completesCommandsUnderTheirGroup() {
    assertThat(new TestShell(home).run("completion", "fish").out())
        .contains(
            "-n '__fish_seen_subcommand_from keys;"
                + " and not __fish_seen_subcommand_from generate inspect rotate'"
                + " -f -a 'generate'")
        .contains("-n '__fish_seen_subcommand_from list' -l sort -r -d ")
        .contains("-n '__fish_seen_subcommand_from list' -l where -r -d ");
  }

  @ParameterizedTest
  @CsvSource({"--fo, --format", "--wh, --where"})
  void bash_completesAnOption(String begun, String option)
      throws IOException, InterruptedException {
    assumeTrue(isInstalled("bash"), "bash is not installed");
    Path script =
        Files.writeString(
            home.resolve("script"), new TestShell(home).run("completion", "bash").out());
    String ask =
        ". '"
            + script
            + "'; COMP_WORDS=(countersign list "
            + begun
            + "); COMP_CWORD=2;"
            + " _complete_countersign; echo \"${COMPREPLY[@]}\"";

    Process process = new ProcessBuilder("bash", "-c", ask).start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains(option);
    Waits.forExit(process);
  }

  private static boolean isInstalled(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
