package dev.countersign.release;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The manual page of one command, with the same texts as its {@code --help}. */
final class ManPage {
  private final CommandSpec command;
  private final SortedMap<Integer, String> exitCodes;
  private final Roff page;

  /**
   * Starts a page.
   *
   * @param exitCodes the meaning of each exit code
   * @param version the version that the page documents
   */
  ManPage(CommandLine command, SortedMap<Integer, String> exitCodes, String version) {
    this.command = command.getCommandSpec();
    this.exitCodes = exitCodes;
    this.page = Roff.page(nameOf(this.command), "countersign " + version);
  }

  /** The page's name, such as {@code countersign-keys-rotate}. */
  static String nameOf(CommandSpec command) {
    return command.qualifiedName("-");
  }

  /** The subcommands that a command's help shows. */
  static List<CommandSpec> visible(CommandSpec command) {
    return command.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(subcommand -> !subcommand.usageMessage().hidden())
        .distinct()
        .toList();
  }

  String text() {
    return write(List.of());
  }

  /** The page of the whole program, with the commands of integrators and operators. */
  String textWith(CommandLine operators) {
    return write(visible(operators.getCommandSpec()));
  }

  private String write(List<CommandSpec> operatorCommands) {
    page.name(nameOf(command), purpose(command));
    page.section("SYNOPSIS").paragraph(synopsis());
    page.section("DESCRIPTION");
    lines(command.usageMessage().description()).forEach(page::paragraph);
    arguments();
    if (operatorCommands.isEmpty()) {
      commands("COMMANDS", visible(command));
    } else {
      commands("COMMANDS OF INTEGRATORS", visible(command));
      commands("COMMANDS OF OPERATORS", operatorCommands);
    }
    exitStatus();
    footer();
    seeAlso(operatorCommands);
    return page.toString();
  }

  private String synopsis() {
    UsageMessageSpec usage = command.usageMessage();
    usage.width(10_000);
    String synopsis = command.commandLine().getHelp().synopsis(0);
    return synopsis.strip().replaceAll("\\s+", " ");
  }

  private void arguments() {
    List<OptionSpec> options = command.options().stream().filter(o -> !o.hidden()).toList();
    List<PositionalParamSpec> parameters =
        command.positionalParameters().stream().filter(p -> !p.hidden()).toList();
    if (!parameters.isEmpty()) {
      page.section("ARGUMENTS");
      parameters.forEach(parameter -> page.item(parameter.paramLabel(), description(parameter)));
    }
    if (!options.isEmpty()) {
      page.section("OPTIONS");
      options.forEach(option -> page.item(term(option), description(option)));
    }
  }

  private static String term(OptionSpec option) {
    String names = String.join(", ", option.names());
    return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
  }

  private static String description(ArgSpec argument) {
    return String.join(" ", lines(argument.description()));
  }

  private void commands(String heading, List<CommandSpec> commands) {
    if (!commands.isEmpty()) {
      page.section(heading);
      commands.forEach(subcommand -> page.item(subcommand.qualifiedName(), purpose(subcommand)));
    }
  }

  private void exitStatus() {
    page.section("EXIT STATUS");
    exitCodes.forEach((code, meaning) -> page.item(code.toString(), meaning));
  }

  /** Writes the end of the help: headings with indented lines below them, mostly examples. */
  private void footer() {
    List<String> indented = new ArrayList<>();
    for (String line : lines(command.usageMessage().footer())) {
      if (line.startsWith("  ")) {
        indented.add(line.substring(2));
        continue;
      }
      flush(indented);
      if (line.startsWith("Example")) {
        page.section("EXAMPLES");
      } else {
        page.paragraph(line);
      }
    }
    flush(indented);
  }

  private void flush(List<String> indented) {
    if (!indented.isEmpty()) {
      page.verbatim(indented);
      indented.clear();
    }
  }

  private void seeAlso(List<CommandSpec> operatorCommands) {
    List<String> pages = new ArrayList<>();
    if (command.parent() != null) {
      pages.add(nameOf(command.parent()));
    }
    visible(command).forEach(subcommand -> pages.add(nameOf(subcommand)));
    operatorCommands.forEach(subcommand -> pages.add(nameOf(subcommand)));
    if (!pages.isEmpty()) {
      page.seeAlso(pages);
    }
  }

  /** The first sentence of a command's description, without its full stop. */
  private static String purpose(CommandSpec command) {
    String words = String.join(" ", lines(command.usageMessage().description()));
    int end = words.indexOf(". ");
    String sentence = end < 0 ? words : words.substring(0, end);
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }

  private static List<String> lines(String... description) {
    return Arrays.stream(description)
        .map(ManPage::plain)
        .flatMap(String::lines)
        .filter(line -> !line.isBlank())
        .toList();
  }

  /**
   * Removes picocli's markup. Picocli formats every line, so the source writes each percent sign
   * twice.
   */
  private static String plain(String words) {
    return Ansi.OFF.string(String.format(Locale.ROOT, words));
  }
}
