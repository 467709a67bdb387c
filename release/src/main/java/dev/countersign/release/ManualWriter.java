package dev.countersign.release;

import dev.countersign.cli.Manual;
import dev.countersign.server.app.Application;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Writes a manual page for every command, and the completion scripts, into a folder. */
public final class ManualWriter {
  /** The file name of the completion script, by shell. */
  private static final Map<String, String> COMPLETIONS =
      Map.of("bash", "countersign.bash", "zsh", "countersign.zsh", "fish", "countersign.fish");

  private static final SortedMap<Integer, String> OPERATORS_EXIT_CODES =
      new TreeMap<>(
          Map.of(0, "done", 1, "failed; one line on standard error says why", 2, "mistyped"));

  private ManualWriter() {}

  /** Takes two arguments: the folder, such as {@code target/share}, and the version. */
  public static void main(String[] args) throws IOException {
    Path share = Path.of(args[0]);
    Path man = emptied(share.resolve("man/man1"));
    for (Map.Entry<String, String> page : pages(args[1]).entrySet()) {
      Files.writeString(man.resolve(page.getKey() + ".1"), page.getValue());
    }
    Path completions = Files.createDirectories(share.resolve("completions"));
    for (Map.Entry<String, String> shell : COMPLETIONS.entrySet()) {
      Files.writeString(completions.resolve(shell.getValue()), Manual.completion(shell.getKey()));
    }
  }

  /** Creates the folder if necessary, and deletes the pages of earlier builds. */
  private static Path emptied(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (DirectoryStream<Path> earlierPages = Files.newDirectoryStream(folder)) {
      for (Path page : earlierPages) {
        Files.delete(page);
      }
    }
    return folder;
  }

  /** The pages of all commands, for integrators and for operators, by name. */
  private static SortedMap<String, String> pages(String version) {
    CommandLine integrators = Manual.commands();
    CommandLine operators = Application.commandLine();
    SortedMap<String, String> pages = new TreeMap<>();
    addSubcommands(integrators, Manual.exitCodes(), version, pages);
    addSubcommands(operators, OPERATORS_EXIT_CODES, version, pages);
    pages.put(
        integrators.getCommandName(),
        new ManPage(integrators, Manual.exitCodes(), version).textWith(operators));
    return pages;
  }

  private static void addSubcommands(
      CommandLine command,
      SortedMap<Integer, String> exitCodes,
      String version,
      Map<String, String> pages) {
    for (CommandSpec spec : ManPage.visible(command.getCommandSpec())) {
      CommandLine subcommand = spec.commandLine();
      pages.put(ManPage.nameOf(spec), new ManPage(subcommand, exitCodes, version).text());
      addSubcommands(subcommand, exitCodes, version, pages);
    }
  }
}
