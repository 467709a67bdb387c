package dev.countersign.server.access;

import java.util.Optional;

/** Finds a client by the keyid of a signature, in memory: a stranger's request runs no SQL. */
@FunctionalInterface
public interface ClientDirectory {

  /** The client whose clientId equals this keyid byte for byte, enabled or not. */
  Optional<RegisteredClient> find(String keyid);
}
