package dev.countersign.cli;

import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.InterruptibleInput;
import dev.countersign.cli.terminal.Interruption;
import dev.countersign.cli.terminal.Output;
import dev.countersign.cli.terminal.PipeClosedException;
import dev.countersign.cli.terminal.SystemTerminal;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code countersign}, the command line for integrators. */
@Command(
    name = "countersign",
    description = "Calls a service that requires signed requests, and explains why it refuses one.",
    mixinStandardHelpOptions = true,
    versionProvider = Countersign.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Commands for operators:",
      "  serve       Runs the service.",
      "  demo        Shows a signed call and a tampered call, with temporary data.",
      "  clients     Manages clients and their keys.",
      "  operators   Manages the operators who can use the portal.",
      "  audit       Shows and verifies the audit trail.",
      "  listings    Suggests listings for the tables of your database.",
      "  nodes       Lists the nodes that share the database.",
      "  backup      Copies the database; the service can keep running.",
      "",
      "Begin with:",
      "  countersign configure"
    })
public final class Countersign implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads its options
  @Mixin
  private final Connection connection;

  Countersign(Connection connection) {
    this.connection = connection;
  }

  /** Runs one command in this process and exits with its code, see {@link ExitCode}. */
  public static void main(String[] args) {
    Interruption interruption = Interruption.watch();
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    Environment environment =
        new Environment(
            System.getenv(),
            () -> home(System.getenv(), System.getProperty("user.home", "")),
            Clock.systemUTC(),
            new InterruptibleInput(new FileInputStream(FileDescriptor.in)),
            new FileOutputStream(FileDescriptor.out),
            err,
            new SystemTerminal(),
            interruption);
    int code = run(environment, args);
    interruption.markEnded();
    System.exit(code);
  }

  /**
   * The home directory: the value of HOME, which shells use for {@code ~}, or Java's {@code
   * user.home} if HOME is not an absolute path.
   *
   * @throws CliException when Java cannot use the path, for example because the charset of the
   *     locale does not have its characters
   */
  static Path home(Map<String, String> variables, String accountHome) {
    try {
      Path home = Path.of(variables.getOrDefault("HOME", ""));
      return home.isAbsolute() ? home : Path.of(accountHome);
    } catch (InvalidPathException unusable) {
      throw new CliException(
          ExitCode.FAILED,
          "home_unusable",
          "the path of the home directory cannot be used: "
              + unusable.getReason()
              + "; set LC_ALL to a UTF-8 locale such as C.UTF-8",
          unusable);
    }
  }

  /** Runs one command in the given environment and returns its exit code. */
  static int run(Environment environment, String... args) {
    try {
      return commandLine(environment, args).execute(args);
    } catch (PipeClosedException nobodyReads) {
      return ExitCode.PIPE_CLOSED.code();
    } catch (OutOfMemoryError full) {
      return new CliErrors(environment).handleLackOfMemory(args);
    }
  }

  private static CommandLine commandLine(Environment environment, String... args) {
    CliErrors errors = new CliErrors(environment);
    Output output = new Output(environment);
    boolean isTerminal = environment.terminal().isStandardOutputTerminal();
    Ansi ansi = environment.usesColours(isTerminal) ? Ansi.ON : Ansi.OFF;
    return Commands.needed(environment, args)
        // @FILE is the body of a request, not a file of arguments.
        .setExpandAtFiles(false)
        .setOut(output.out())
        .setErr(output.err())
        .setColorScheme(Help.defaultColorScheme(ansi))
        .setExecutionStrategy(Commands::run)
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "countersign needs one of " + String.join(", ", spec.subcommands().keySet()));
  }

  /** The version from the manifest of this jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      @Nullable String version = Version.class.getPackage().getImplementationVersion();
      return new String[] {"countersign " + (version == null ? "development" : version)};
    }
  }
}
