package dev.countersign.server.access.directory;

import java.util.Optional;

/** Finds clients by keyid in memory, so that an unverified request runs no SQL. */
@FunctionalInterface
public interface ClientDirectory {

  /**
   * Returns the client whose clientId equals this keyid byte for byte, even if the client is
   * disabled.
   */
  Optional<RegisteredClient> find(String keyid);
}
