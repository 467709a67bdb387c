package dev.countersign.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** The commands by name. Where one was asked for only that one is built, for a quicker start. */
final class Commands {
  private static final Map<String, Function<Environment, CommandLine>> MAKERS = makers();

  private Commands() {}

  private static Map<String, Function<Environment, CommandLine>> makers() {
    Map<String, Function<Environment, CommandLine>> makers = new LinkedHashMap<>();
    makers.put("configure", given -> new CommandLine(new ConfigureCommand(given)));
    makers.put("call", given -> new CommandLine(new CallCommand(given)));
    makers.put("list", given -> new CommandLine(new ListCommand(given)));
    makers.put("keys", KeysCommand::commandLine);
    makers.put("sign", given -> new CommandLine(new SignCommand(given)));
    makers.put("verify", given -> new CommandLine(new VerifyCommand(given)));
    makers.put("explain", given -> new CommandLine(new ExplainCommand(given)));
    makers.put("proxy", given -> new CommandLine(new ProxyCommand(given)));
    makers.put("completion", given -> new CommandLine(new CompletionCommand(given)));
    return makers;
  }

  /** The root with all commands, for its help and for completion. */
  static CommandLine all(Environment environment) {
    CommandLine root = new CommandLine(new Countersign());
    MAKERS.forEach((name, maker) -> root.addSubcommand(name, maker.apply(environment)));
    return configured(root);
  }

  /** The root with the commands that these arguments need. */
  static CommandLine needed(Environment environment, String... args) {
    CommandLine root = new CommandLine(new Countersign());
    if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
      return root;
    }
    Function<Environment, CommandLine> maker = args.length == 0 ? null : MAKERS.get(args[0]);
    return maker == null
        ? all(environment)
        : configured(root.addSubcommand(args[0], maker.apply(environment)));
  }

  // What begins with @ is data of call, not a file of further arguments.
  private static CommandLine configured(CommandLine root) {
    return root.setCaseInsensitiveEnumValuesAllowed(true).setExpandAtFiles(false);
  }
}
