package dev.countersign.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Writes a completion script for fish from the model of the commands. */
final class FishCompletion {
  private static final String NAME = "countersign";

  private final CommandLine root;
  private final StringBuilder script = new StringBuilder();

  FishCompletion(CommandLine root) {
    this.root = root;
  }

  String script() {
    script.append("complete -c " + NAME + " -e\n");
    command(root, List.of());
    return script.toString();
  }

  private void command(CommandLine command, List<String> path) {
    Map<String, CommandLine> subcommands = command.getSubcommands();
    List<String> names = new ArrayList<>(subcommands.keySet());
    String condition = condition(path, names);
    subcommands.forEach(
        (name, sub) ->
            line(
                condition,
                "-f -a " + quoted(name),
                sub.getCommandSpec().usageMessage().description()));
    command.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> line(condition, names(option), option.description()));
    subcommands.forEach(
        (name, sub) -> {
          List<String> subcommandPath = new ArrayList<>(path);
          subcommandPath.add(name);
          command(sub, subcommandPath);
        });
  }

  /**
   * A condition for fish: the command line contains the words of the path and none of the words
   * that may come next.
   */
  private static String condition(List<String> path, List<String> next) {
    List<String> tests = new ArrayList<>();
    path.forEach(word -> tests.add("__fish_seen_subcommand_from " + word));
    if (!next.isEmpty()) {
      tests.add("not __fish_seen_subcommand_from " + String.join(" ", next));
    }
    return tests.isEmpty() ? "true" : String.join("; and ", tests);
  }

  private static String names(OptionSpec option) {
    List<String> words = new ArrayList<>();
    for (String name : option.names()) {
      words.add(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1));
    }
    // -r: a value follows, by default the name of a file.
    return String.join(" ", words) + (option.arity().max() > 0 ? " -r" : "");
  }

  private void line(String condition, String arguments, String... description) {
    String first = Arrays.stream(description).findFirst().orElse("").replace("$$", "$");
    script
        .append("complete -c " + NAME + " -n " + quoted(condition) + " " + arguments)
        .append(" -d " + quoted(first) + "\n");
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
