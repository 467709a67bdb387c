package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientException.Reason.ID_TAKEN;
import static dev.countersign.server.clients.ClientException.Reason.KEY_TAKEN;
import static dev.countersign.server.clients.ClientException.Reason.NOT_FOUND;

import dev.countersign.protocol.ClientId;
import dev.countersign.server.clients.Client.Status;

/** Checks a change to a client against the registered clients. */
final class ClientConflicts {
  private ClientConflicts() {}

  /**
   * Returns the client with this id. Throws if no client ever had this id, or if it was removed.
   */
  static Client require(ClientRows rows, String clientId) {
    Client client =
        rows.find(clientId)
            .orElseThrow(
                () ->
                    new ClientException(
                        NOT_FOUND,
                        "there is no client with the clientId "
                            + clientId
                            + (ClientId.isMistyped(clientId) ? "; it is mistyped" : "")));
    if (client.status() == Status.REMOVED) {
      throw new ClientException(
          NOT_FOUND,
          "client " + clientId + " was removed at " + client.updatedAt() + "; register a new one");
    }
    return client;
  }

  /** Requires that the clientId was never given to another client. */
  static void requireFree(ClientRows rows, String clientId) {
    rows.find(clientId)
        .ifPresent(
            other -> {
              throw new ClientException(
                  ID_TAKEN,
                  "the clientId "
                      + clientId
                      + (other.status() == Status.REMOVED
                          ? " belonged to a client that was removed; an id is never used twice"
                          : " belongs to the client " + other.name())
                      + "; choose another one");
            });
  }

  /** Requires that no other client has the key. */
  static void requireUnowned(ClientRows rows, ClientKey key, String clientId) {
    rows.ownerOf(key.fingerprint())
        .filter(owner -> !owner.equals(clientId))
        .ifPresent(
            owner -> {
              throw new ClientException(
                  KEY_TAKEN,
                  "key "
                      + key.fingerprint()
                      + " belongs to client "
                      + owner
                      + "; each client needs its own key pair");
            });
  }
}
