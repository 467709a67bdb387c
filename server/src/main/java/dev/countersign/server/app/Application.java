package dev.countersign.server.app;

import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.ClientRules;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.commands.MissingData;
import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.commands.OperatorContext;
import dev.countersign.server.config.Configuration;
import dev.countersign.server.config.CountersignProperties;
import dev.countersign.server.config.ServedListings;
import dev.countersign.server.demo.TransactionSeed;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import org.springframework.core.env.ConfigurableEnvironment;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The root command {@code countersign}. */
@Command(
    name = "countersign",
    description = "Serves your tables to partners as signed, paginated list APIs.",
    mixinStandardHelpOptions = true,
    versionProvider = Application.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Begin with:",
      "  ./countersign demo",
    })
public final class Application {
  private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";
  // The loggers whose levels application.yaml sets.
  private static final List<String> LOGGERS =
      List.of(
          "root",
          "com.zaxxer.hikari",
          "com.zaxxer.hikari.pool.PoolBase",
          "org.apache",
          "org.flywaydb",
          "org.springframework");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      defaultValue = "${env:COUNTERSIGN_CONFIG:-countersign.yaml}",
      description =
          "The configuration file (default: $$COUNTERSIGN_CONFIG, or else ./countersign.yaml if it"
              + " exists).")
  private Path config = Path.of(Configuration.DEFAULT_FILE);

  /**
   * Runs one command and exits with its code: 0 on success, 1 on failure, 2 for invalid arguments.
   */
  public static void main(String[] args) {
    provideCarriers();
    CommandLine root = commandLine();
    root.setExecutionStrategy(
        parsed -> {
          if (!isService(parsed)) {
            silence();
          }
          return new CommandLine.RunLast().execute(parsed);
        });
    System.exit(root.execute(args));
  }

  private static boolean isService(CommandLine.ParseResult parsed) {
    if (!parsed.hasSubcommand()) {
      return false;
    }
    Object command = parsed.subcommand().commandSpec().userObject();
    return command instanceof ServeCommand || command instanceof DemoCommand;
  }

  // The other commands write their results to standard output, where the log would also go. A
  // system property takes precedence over the levels in application.yaml.
  private static void silence() {
    LOGGERS.forEach(logger -> System.setProperty("logging.level." + logger, "off"));
  }

  // Design note: requests run on virtual threads, by default on one carrier thread per processor.
  // SQLite pins a carrier for each running statement, so without further carriers a few slow reads
  // would stop every request, including the health probes. The JDK reads this property when it
  // creates the first virtual thread.
  private static void provideCarriers() {
    if (System.getProperty(CARRIERS) == null) {
      int processors = Runtime.getRuntime().availableProcessors();
      System.setProperty(CARRIERS, String.valueOf(processors + Database.threadsHeld()));
    }
  }

  /** Returns the commands, to be run or inspected. */
  public static CommandLine commandLine() {
    Application application = new Application();
    CommandLine root =
        new CommandLine(application)
            .addSubcommand(new ServeCommand(application, OperatorConsole.system()))
            .addSubcommand(new DemoCommand());
    return OperatorCommands.addTo(root, application::open, OperatorConsole.system());
  }

  /** Returns the configuration file from the command line or the environment. */
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
          ServedListings served = servedListings(properties, environment, database);
          Attributes attributes = Attributes.parse(served.attributes()).from(origin());
          Roles roles = Roles.parse(served.roles()).from(origin());
          SecureRandom random = new SecureRandom();
          AuditTrail audit = new AuditTrail(database, clock);
          return new OperatorContext(
              database,
              new ClientStore(database, new ClientRules(roles, attributes), clock, random),
              new ClientReach(roles, attributes, ListingCatalog.scopes(served.listings())),
              new OperatorStore(database, audit, clock, random)
                  .withSignInMethods(PortalParts.signInMethods(properties.portal())),
              Author.command(System.getProperty("user.name", "")),
              ConfiguredPortal.of(environment),
              clock);
        });
  }

  private static ServedListings servedListings(
      CountersignProperties properties, ConfigurableEnvironment environment, Database database) {
    ServedListings configured = ServedListings.of(properties, environment);
    return TransactionSeed.isIn(database) ? configured.withDemo() : configured;
  }

  /** Reads the version from the archive's manifest. */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
      return new String[] {"countersign " + number()};
    }

    /** Returns the version number, or {@code (not packaged)} if there is none. */
    static String number() {
      String version = Application.class.getPackage().getImplementationVersion();
      return version == null ? "(not packaged)" : version;
    }
  }
}
