package dev.countersign.server.commands;

import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.app.OperatorCommands;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.TestClock;
import dev.countersign.server.clients.TestRoles;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The operator commands in this process, with a clock and a terminal that a test controls. */
final class CommandBench {
  final TestClock clock = new TestClock();
  ClientReach reach = TestRoles.reach();

  /** The store of all commands; without it, they use that of {@code --data}. */
  @Nullable StoreSettings store;

  /** The input of the next command. */
  String typed = "";

  /** True if the input comes from a terminal, not from a pipe. */
  boolean interactive;

  private final String author;
  private final Random random = new Random(23);

  /**
   * @param author the user of the operating system
   */
  CommandBench(String author) {
    this.author = author;
  }

  CommandResult run(String... arguments) {
    return run(this::open, arguments);
  }

  CommandResult run(OperatorContext.Opener opener, String... arguments) {
    CommandLine root = new CommandLine(new Root());
    OperatorCommands.addTo(root, opener, TypedInput.of(typed, interactive));
    return CommandResult.of(root, arguments);
  }

  OperatorContext open(Path data, MissingData missing) {
    StoreSettings settings = store == null ? StoreSettings.embedded(data) : store;
    missing.check(settings);
    Database database = Database.open(settings);
    AuditTrail audit = new AuditTrail(database, clock);
    return new OperatorContext(
        database,
        clients(database),
        reach,
        new OperatorStore(database, audit, clock, new SecureRandom()),
        Author.command(author),
        () -> "http://localhost:8080/portal",
        clock);
  }

  ClientStore clients(Database database) {
    return new ClientStore(database, TestRoles.rules(), clock, random);
  }

  @Command(name = "countersign")
  private static final class Root {
    @Option(names = "--config", scope = ScopeType.INHERIT)
    private Path config;
  }
}
