package dev.countersign.cli;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.pagination.spelling.EditDistance;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains what is wrong with a command line: the value, the rule and the fix. */
final class UsageErrors {
  // The maximum number of typing errors for which a known word is suggested. For a known word of
  // fewer than four characters, it is half the word's length, rounded down.
  private static final int MAX_TYPOS = 2;
  private static final Set<Class<?>> NUMBERS =
      Set.of(int.class, Integer.class, long.class, Long.class);

  private UsageErrors() {}

  static CliException failure(ParameterException mistyped) {
    CommandSpec command = mistyped.getCommandLine().getCommandSpec();
    if (mistyped instanceof UnmatchedArgumentException unmatched) {
      return CliException.usage(unmatched(command, unmatched.getUnmatched().get(0)));
    }
    return CliException.usage(rule(mistyped) + seeHelp(command));
  }

  private static String rule(ParameterException mistyped) {
    if (mistyped instanceof MissingParameterException missing) {
      return missing(missing.getMissing().get(0));
    }
    if (mistyped instanceof OverwrittenOptionException twice) {
      return name(twice.getOverwritten()) + " can be given only once";
    }
    ArgSpec argument = mistyped.getArgSpec();
    String message = String.valueOf(mistyped.getMessage());
    return argument == null || mistyped.getValue() == null
        ? message
        : invalid(argument, mistyped.getValue(), message);
  }

  private static String unmatched(CommandSpec command, String typed) {
    String word = typed.startsWith("-") ? typed.replaceFirst("=.*", "") : typed;
    boolean isOption = word.startsWith("-");
    List<String> near =
        nearest(isOption ? command.optionsMap().keySet() : command.subcommands().keySet(), word);
    String fix =
        near.isEmpty() ? seeHelp(command) : "; did you mean " + String.join(" or ", near) + "?";
    if (isOption) {
      return "there is no option '" + word + "'" + fix;
    }
    return command.subcommands().isEmpty()
        ? "unexpected argument '" + word + "'" + fix
        : "there is no command '" + path(command) + word + "'" + fix;
  }

  /** The commands typed before the unknown word, such as {@code keys }. */
  private static String path(CommandSpec command) {
    return command.parent() == null ? "" : path(command.parent()) + command.name() + " ";
  }

  private static String missing(ArgSpec missing) {
    return missing instanceof OptionSpec option
        ? option.longestName() + " needs a value, " + option.paramLabel()
        : missing.paramLabel() + " is missing";
  }

  private static String invalid(ArgSpec argument, String value, String message) {
    if (argument.typeInfo().isEnum()) {
      String words =
          argument.typeInfo().getEnumConstantNames().stream()
              .map(word -> word.toLowerCase(Locale.ROOT))
              .collect(Collectors.joining(", "));
      return name(argument) + " must be one of " + words + ", was '" + value + "'";
    }
    if (Arrays.stream(argument.auxiliaryTypes()).anyMatch(NUMBERS::contains)) {
      return name(argument) + " must be a whole number, was '" + value + "'";
    }
    return name(argument) + ": " + message.replaceFirst("^Invalid value for [^:]*: ", "");
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static String seeHelp(CommandSpec command) {
    return "; see " + command.qualifiedName() + " --help";
  }

  /**
   * Returns the known words nearest to the typed word, at most two; none if all of them differ by
   * too many typing errors.
   */
  private static List<String> nearest(Collection<String> known, String typed) {
    return known.stream()
        .filter(word -> EditDistance.isWithin(Math.min(MAX_TYPOS, word.length() / 2), word, typed))
        .sorted(Comparator.comparingInt(word -> EditDistance.between(word, typed)))
        .limit(2)
        .toList();
  }
}
