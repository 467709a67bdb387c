package dev.countersign.server.access.directory;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads clients in the transaction of a write, where the data in memory may be too old. */
@FunctionalInterface
public interface CommittedClients {

  /**
   * Returns a client as committed at the time of this query, including the changes of this
   * transaction; empty if the client never existed or was removed.
   */
  Optional<RegisteredClient> find(JdbcClient sql, String clientId);
}
