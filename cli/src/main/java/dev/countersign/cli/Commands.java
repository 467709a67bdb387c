package dev.countersign.cli;

import dev.countersign.cli.keys.KeysCommand;
import dev.countersign.cli.list.ListCommand;
import dev.countersign.cli.profile.ConfigureCommand;
import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.terminal.Environment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The commands by name. To start faster, only the requested command is built; if only the names are
 * needed, no command is built. All commands share the options of {@link Connection}.
 */
final class Commands {
  private static final Map<String, Factory> FACTORIES = factories();

  private Commands() {}

  /** The factory of a command, and the class whose annotation describes it. */
  private record Factory(Class<?> type, BiFunction<Environment, Connection, Object> command) {}

  private static Map<String, Factory> factories() {
    Map<String, Factory> factories = new LinkedHashMap<>();
    factories.put("configure", new Factory(ConfigureCommand.class, ConfigureCommand::new));
    factories.put("call", new Factory(CallCommand.class, CallCommand::new));
    factories.put("list", new Factory(ListCommand.class, ListCommand::new));
    factories.put("keys", new Factory(KeysCommand.class, KeysCommand::commandLine));
    factories.put("sign", new Factory(SignCommand.class, SignCommand::new));
    factories.put("verify", new Factory(VerifyCommand.class, VerifyCommand::new));
    factories.put("explain", new Factory(ExplainCommand.class, ExplainCommand::new));
    factories.put("proxy", new Factory(ProxyCommand.class, ProxyCommand::new));
    factories.put(
        "completion",
        new Factory(CompletionCommand.class, (given, connection) -> new CompletionCommand(given)));
    return factories;
  }

  /** The root command with all commands, for manual pages and for completion. */
  static CommandLine all(Environment environment) {
    Connection connection = new Connection(environment);
    CommandLine root = new CommandLine(new Countersign(connection));
    FACTORIES.forEach(
        (name, factory) ->
            root.addSubcommand(name, factory.command().apply(environment, connection)));
    return configured(root);
  }

  /** The root command with the commands that these arguments need. */
  static CommandLine needed(Environment environment, String... args) {
    Connection connection = new Connection(environment);
    CommandLine root = new CommandLine(new Countersign(connection));
    if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
      return root;
    }
    String word = firstWord(args).orElse("");
    Factory factory = FACTORIES.get(word);
    if (factory == null) {
      FACTORIES.forEach((name, each) -> root.addSubcommand(name, outline(each.type())));
    } else {
      root.addSubcommand(word, factory.command().apply(environment, connection));
    }
    return configured(root);
  }

  /** The first word that is neither an option nor an option's value. */
  private static Optional<String> firstWord(String... args) {
    for (int i = 0; i < args.length; i++) {
      if (!args[i].startsWith("-")) {
        return Optional.of(args[i]);
      }
      if (Connection.OPTIONS.contains(args[i])) {
        i++;
      }
    }
    return Optional.empty();
  }

  /** A command with only its description, for the help of the root command. */
  private static CommandLine outline(Class<?> type) {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage().description(type.getAnnotation(Command.class).description());
    return new CommandLine(spec);
  }

  // Picocli must not read arguments from @FILE, because --data takes @FILE as its value.
  private static CommandLine configured(CommandLine root) {
    setVersion(root);
    Optional.ofNullable(root.getSubcommands().get("completion"))
        .ifPresent(completion -> hideConnection(completion.getCommandSpec()));
    // The name of a profile may also be the name of a command: --profile list.
    return root.setAllowSubcommandsAsOptionParameters(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false);
  }

  private static void setVersion(CommandLine command) {
    command.getCommandSpec().versionProvider(new Countersign.Version());
    command.getSubcommands().values().forEach(Commands::setVersion);
  }

  /** Hides the connection options of a command that accepts but does not use them. */
  private static void hideConnection(CommandSpec command) {
    for (OptionSpec option : List.copyOf(command.options())) {
      if (Connection.OPTIONS.contains(option.longestName())) {
        command.remove(option);
        command.addOption(option.toBuilder().hidden(true).build());
      }
    }
  }

  /** Runs the parsed command. An unknown command is an error, even with {@code --help}. */
  static int run(ParseResult parsed) {
    ParseResult last = parsed;
    List<String> unmatched = new ArrayList<>(parsed.unmatched());
    while (last.hasSubcommand()) {
      last = last.subcommand();
      unmatched.addAll(last.unmatched());
    }
    CommandSpec command = last.commandSpec();
    if (!command.subcommands().isEmpty() && unmatched.stream().anyMatch(Commands::isWord)) {
      throw new UnmatchedArgumentException(
          command.commandLine(), unmatched.stream().filter(Commands::isWord).toList());
    }
    return new RunLast().execute(parsed);
  }

  private static boolean isWord(String argument) {
    return !argument.startsWith("-");
  }
}
