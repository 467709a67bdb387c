package dev.countersign.server.commands;

import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.store.Database;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Supplier;

/**
 * The context of a command: the store of a data directory, open while the command runs. A service
 * may run on the same directory.
 *
 * @param database the database, which is closed with this context
 * @param clients the clients, with the roles of the configuration; changes are made in the author's
 *     name
 * @param reach the attributes that clients may have, and which listings need them
 * @param operators the operators of the portal; changes are made in the author's name
 * @param author the user who runs the command
 * @param portalUrl the configured URL of the portal
 * @param clock the clock
 */
public record OperatorContext(
    Database database,
    ClientStore clients,
    ClientReach reach,
    OperatorStore operators,
    Author author,
    Supplier<String> portalUrl,
    Clock clock)
    implements AutoCloseable {

  public OperatorContext {
    clients = clients.by(author);
    operators = operators.by(author);
  }

  public AuditTrail auditTrail() {
    return new AuditTrail(database, clock);
  }

  @Override
  public void close() {
    database.close();
  }

  /** Opens the context of a data directory with the configuration of the service. */
  @FunctionalInterface
  public interface Opener {

    /**
     * Opens the store that the configuration names.
     *
     * @param data the data directory
     * @param missing what to do if there is no store yet; the opener calls {@link
     *     MissingData#check}
     * @throws RuntimeException with a message of one line for the operator
     */
    OperatorContext open(Path data, MissingData missing);
  }
}
