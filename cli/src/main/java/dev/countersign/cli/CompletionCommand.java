package dev.countersign.cli;

import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * The command {@code countersign completion}: prints a script that lets a shell complete commands
 * and options.
 */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Prints a script that completes commands and options in your shell.",
    footer = {
      "",
      "Examples:",
      "  source <(countersign completion bash)      in ~/.bashrc; for zsh in ~/.zshrc",
      "  countersign completion fish > ~/.config/fish/completions/countersign.fish",
    })
final class CompletionCommand implements Callable<Integer> {
  private final Environment environment;

  @Mixin private final Output output;

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
  private Shell shell = Shell.BASH;

  CompletionCommand(Environment environment) {
    this.environment = environment;
    this.output = new Output(environment);
  }

  @Override
  public Integer call() {
    CommandLine root = Commands.all(environment);
    String script =
        shell == Shell.FISH
            ? new FishCompletion(root).script()
            // The script for bash also works in zsh, through bashcompinit.
            : bash(root);
    output.print(script.strip());
    return ExitCode.OK.code();
  }

  /**
   * Generates the script in the root locale, because picocli writes the numbers in its variables
   * with the digits of the default locale.
   */
  private static String bash(CommandLine root) {
    Locale previous = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    try {
      return AutoComplete.bash("countersign", root);
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, previous);
    }
  }

  /** The supported shells. */
  enum Shell {
    BASH,
    ZSH,
    FISH
  }
}
