package dev.countersign.release;

import dev.countersign.cli.Manual;
import dev.countersign.server.Application;
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
  /** Shells, and the script of each, to be sourced or put where it looks. */
  private static final Map<String, String> COMPLETIONS =
      Map.of("bash", "countersign.bash", "zsh", "countersign.zsh", "fish", "countersign.fish");

  private static final SortedMap<Integer, String> OPERATORS_EXIT_CODES =
      new TreeMap<>(Map.of(0, "done", 1, "failed, as one line says", 2, "mistyped"));

  private ManualWriter() {}

  /** Takes the folder, as in {@code target/share}, and the version. */
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

  /** A folder without the pages of commands that there are no longer. */
  private static Path emptied(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (DirectoryStream<Path> before = Files.newDirectoryStream(folder)) {
      for (Path page : before) {
        Files.delete(page);
      }
    }
    return folder;
  }

  /** Pages by name, of both sides of the program. */
  private static SortedMap<String, String> pages(String version) {
    CommandLine integrators = Manual.commands();
    CommandLine operators = Application.commandLine();
    SortedMap<String, String> pages = new TreeMap<>();
    addBelow(integrators, Manual.exitCodes(), version, pages);
    addBelow(operators, OPERATORS_EXIT_CODES, version, pages);
    pages.put(
        integrators.getCommandName(),
        new ManPage(integrators, Manual.exitCodes(), version).textWith(operators));
    return pages;
  }

  private static void addBelow(
      CommandLine command,
      SortedMap<Integer, String> exitCodes,
      String version,
      Map<String, String> pages) {
    for (CommandSpec spec : ManPage.visible(command.getCommandSpec())) {
      CommandLine below = spec.commandLine();
      pages.put(ManPage.nameOf(spec), new ManPage(below, exitCodes, version).text());
      addBelow(below, exitCodes, version, pages);
    }
  }
}
