package dev.countersign.server;

import dev.countersign.server.access.Roles;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.commands.MissingData;
import dev.countersign.server.commands.OperatorCommands;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.commands.Terminal;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command {@code countersign}: what an operator types. */
@Command(
    name = "countersign",
    description = "Serves your tables to partners as signed, paginated list APIs.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Begin with:",
      "  ./countersign demo",
    })
public final class Application {
  private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      defaultValue = "${env:COUNTERSIGN_CONFIG:-countersign.yaml}",
      description =
          "The configuration (default: $$COUNTERSIGN_CONFIG, else ./countersign.yaml if there is"
              + " one).")
  private Path config = Path.of(Configuration.DEFAULT_FILE);

  /** Runs one command and exits with its code: 0, 1 when it failed, 2 when it was mistyped. */
  public static void main(String[] args) {
    provideCarriers();
    System.exit(commandLine().execute(args));
  }

  // Design note: requests run on virtual threads, by default on one carrier for each processor.
  // SQLite holds on to as many carriers as it has work, so a few slow reads would stop every
  // request and the health probes with them. The JDK reads this when it makes the first one.
  private static void provideCarriers() {
    if (System.getProperty(CARRIERS) == null) {
      int processors = Runtime.getRuntime().availableProcessors();
      System.setProperty(CARRIERS, String.valueOf(processors + Database.threadsHeld()));
    }
  }

  /** The commands of operators, ready to run or to be read. */
  public static CommandLine commandLine() {
    Application application = new Application();
    CommandLine root =
        new CommandLine(application)
            .addSubcommand(new ServeCommand(application))
            .addSubcommand(new DemoCommand());
    return OperatorCommands.addTo(root, application::open, Terminal.system());
  }

  /** The configuration file that the command line or the environment names. */
  Path config() {
    return config;
  }

  private String origin() {
    return Files.isReadable(config)
        ? config.toAbsolutePath().normalize().toString()
        : "the built-in configuration (there is no " + config + " here)";
  }

  private OperatorContext open(Path data, MissingData missing) {
    Clock clock = Clock.systemUTC();
    return Configuration.read(
        config,
        (properties, environment) -> {
          StoreSettings store = Configuration.store(environment, data);
          missing.check(store);
          Database database = Database.open(store);
          Roles roles = Roles.parse(properties.roles()).from(origin());
          SecureRandom random = new SecureRandom();
          AuditTrail audit = new AuditTrail(database, clock);
          return new OperatorContext(
              database,
              new ClientStore(database, roles, clock, random),
              new OperatorStore(database, audit, clock, random)
                  .signingInBy(PortalParts.waysIn(properties.portal())),
              Author.command(System.getProperty("user.name", "")),
              ConfiguredPortal.of(environment),
              clock);
        });
  }
}
