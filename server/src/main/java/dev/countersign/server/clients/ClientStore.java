package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientException.Reason.CHANGED;
import static dev.countersign.server.clients.ClientException.Reason.ID_TAKEN;
import static dev.countersign.server.clients.ClientException.Reason.INVALID;
import static dev.countersign.server.clients.ClientException.Reason.KEY_TAKEN;
import static dev.countersign.server.clients.ClientException.Reason.NOT_FOUND;

import dev.countersign.server.access.ClientId;
import dev.countersign.server.access.Roles;
import dev.countersign.server.clients.Client.Status;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaKeyRules;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The client records and their keys, and the one place where a change to them is checked.
 *
 * <p>Each change is one transaction with one new revision; refused changes throw {@link
 * ClientException} and leave nothing behind. A public key belongs to one client: the same key under
 * two clientIds would mean that two parties hold one private key, or that a file was mixed up.
 */
public final class ClientStore {
  private final Database database;
  private final ClientRules rules;
  private final Clock clock;
  private final RandomGenerator random;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /**
   * @param random makes clientIds; they are no secrets, yet nobody should be able to guess them
   */
  public ClientStore(Database database, Roles roles, Clock clock, RandomGenerator random) {
    this.database = database;
    this.rules = new ClientRules(roles);
    this.clock = clock;
    this.random = random;
  }

  /** Runs after each change of this process, such as {@link ClientRegistry#refresh}. */
  public void afterEachChange(Runnable listener) {
    listeners.add(listener);
  }

  /**
   * Registers a client, enabled at once.
   *
   * @throws ClientException where a field is not allowed, or the clientId or key is taken
   * @throws KeyFileException where the key is too weak
   */
  public Client add(NewClient request) {
    String name = rules.name(request.name());
    List<String> whitelist = rules.whitelist(request.whitelist());
    List<String> roles = rules.roles(request.roles());
    RsaKeyRules.check(request.publicKey());
    String clientId =
        request.clientId() == null
            ? ClientId.generate(random).value()
            : rules.clientId(request.clientId());
    return committed(
        database.write(
            sql -> {
              ClientRows rows = new ClientRows(sql);
              long revision = rows.nextRevision();
              requireFree(rows, clientId);
              Instant now = now();
              ClientKey key = key(request.publicKey(), now);
              requireUnowned(rows, key, clientId);
              Client client =
                  new Client(
                      clientId,
                      name,
                      whitelist,
                      roles,
                      Status.ENABLED,
                      List.of(key),
                      now,
                      now,
                      revision);
              rows.insert(client);
              rows.replaceKeys(client);
              return client;
            }));
  }

  /** The client with this id, unless it was removed. */
  public Optional<Client> find(String clientId) {
    return database
        .read(sql -> new ClientRows(sql).find(clientId))
        .filter(client -> client.status() != Status.REMOVED);
  }

  /**
   * The client with this id.
   *
   * @throws ClientException that says whether it never was or was removed
   */
  public Client get(String clientId) {
    return database.read(sql -> require(new ClientRows(sql), clientId));
  }

  /** All clients that are not removed, by their names. */
  public List<Client> list() {
    return database.read(sql -> new ClientRows(sql).list());
  }

  /** Changes name, whitelist or roles. */
  public Client update(String clientId, ClientUpdate update) {
    if (update.isEmpty()) {
      throw new ClientException(INVALID, "nothing to change: give a name, a whitelist or roles");
    }
    String name = update.name() == null ? null : rules.name(update.name());
    List<String> whitelist =
        update.whitelist() == null ? null : rules.whitelist(update.whitelist());
    List<String> roles = update.roles() == null ? null : rules.roles(update.roles());
    return change(
        clientId,
        (rows, client) -> {
          if (update.revision() != null && update.revision() != client.revision()) {
            throw new ClientException(
                CHANGED,
                "client "
                    + clientId
                    + " was changed by somebody else at "
                    + client.updatedAt()
                    + "; look at it again and repeat the change");
          }
          return client.withRecord(
              name == null ? client.name() : name,
              whitelist == null ? client.whitelist() : whitelist,
              roles == null ? client.roles() : roles);
        });
  }

  /** Refuses the client's requests from now on, until {@link #enable}. */
  public Client disable(String clientId) {
    return change(clientId, (rows, client) -> client.withStatus(Status.DISABLED));
  }

  public Client enable(String clientId) {
    return change(clientId, (rows, client) -> client.withStatus(Status.ENABLED));
  }

  /** Removes the client and its keys for good; its clientId stays taken. */
  public Client remove(String clientId) {
    return change(
        clientId, (rows, client) -> client.withStatus(Status.REMOVED).withKeys(List.of()));
  }

  /**
   * Adds a key beside the live one.
   *
   * @param endOthersAt when the client's other keys end, a time past meaning at once; null to leave
   *     them as they are
   */
  public Client addKey(String clientId, RSAPublicKey publicKey, @Nullable Instant endOthersAt) {
    RsaKeyRules.check(publicKey);
    return change(
        clientId,
        (rows, client) -> {
          Instant now = now();
          ClientKey key = key(publicKey, now);
          requireUnowned(rows, key, clientId);
          Instant end = endOthersAt == null ? null : endOthersAt.truncatedTo(ChronoUnit.MILLIS);
          return client.withKeys(KeyRotation.add(client.keys(), key, end, now));
        });
  }

  /**
   * Takes a key from a client, at once.
   *
   * @param fingerprint its fingerprint, or enough of its beginning to tell it from the others
   */
  public Client removeKey(String clientId, String fingerprint) {
    return change(
        clientId,
        (rows, client) -> client.withKeys(KeyRotation.remove(client.keys(), fingerprint, now())));
  }

  private Client change(String clientId, BiFunction<ClientRows, Client, Client> change) {
    return committed(
        database.write(
            sql -> {
              ClientRows rows = new ClientRows(sql);
              long revision = rows.nextRevision();
              Client before = require(rows, clientId);
              Client after = change.apply(rows, before).changedAt(now(), revision);
              rows.update(after);
              if (!after.keys().equals(before.keys())) {
                rows.replaceKeys(after);
              }
              return after;
            }));
  }

  private Client committed(Client client) {
    listeners.forEach(Runnable::run);
    return client;
  }

  private static Client require(ClientRows rows, String clientId) {
    Client client =
        rows.find(clientId)
            .orElseThrow(
                () ->
                    new ClientException(
                        NOT_FOUND,
                        "no client has the clientId "
                            + clientId
                            + (ClientId.isMistyped(clientId) ? "; it is mistyped" : "")));
    if (client.status() == Status.REMOVED) {
      throw new ClientException(
          NOT_FOUND,
          "client " + clientId + " was removed at " + client.updatedAt() + "; register a new one");
    }
    return client;
  }

  private static void requireFree(ClientRows rows, String clientId) {
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
                      + ", choose another");
            });
  }

  private static void requireUnowned(ClientRows rows, ClientKey key, String clientId) {
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
                      + "; each client has a key pair of its own");
            });
  }

  private static ClientKey key(RSAPublicKey key, Instant now) {
    return new ClientKey(
        KeyFingerprint.of(key).value(),
        Base64.getEncoder().encodeToString(key.getEncoded()),
        key.getModulus().bitLength(),
        now,
        null);
  }

  // What is stored is what is returned: milliseconds.
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
