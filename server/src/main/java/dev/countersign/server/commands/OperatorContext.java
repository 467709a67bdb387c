package dev.countersign.server.commands;

import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.store.Database;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Supplier;

/**
 * What a command works on: the store of a data directory, opened for as long as the command runs,
 * whether a service runs on it or not.
 *
 * @param database closed with this context
 * @param clients the clients in it, with the roles of the configuration; changed by the author
 * @param operators who may use the portal; changed by the author
 * @param author who runs the command
 * @param portalUrl where the portal is reached, by the configuration
 * @param clock the time
 */
public record OperatorContext(
    Database database,
    ClientStore clients,
    OperatorStore operators,
    Author author,
    Supplier<String> portalUrl,
    Clock clock)
    implements AutoCloseable {

  public OperatorContext {
    clients = clients.by(author);
    operators = operators.by(author);
  }

  AuditTrail auditTrail() {
    return new AuditTrail(database, clock);
  }

  @Override
  public void close() {
    database.close();
  }

  /** Opens the context of a data directory by the same configuration as the service. */
  @FunctionalInterface
  public interface Opener {

    /**
     * Opens the store that the configuration names.
     *
     * @param data the data directory
     * @param missing what to do where it has no store yet; the opener asks {@link
     *     MissingData#check}
     * @throws RuntimeException with one line for the operator
     */
    OperatorContext open(Path data, MissingData missing);
  }
}
