package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientException.Reason.CHANGED;
import static dev.countersign.server.clients.ClientException.Reason.INVALID;

import dev.countersign.protocol.ClientId;
import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.Client.Status;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaKeyRules;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The store of client records and their keys, which checks every change.
 *
 * <p>Each change is one transaction, with one new revision and one entry in the audit trail in the
 * name of the {@link #by author}. A refused change throws {@link ClientException} and changes
 * nothing. A public key belongs to one client: the same key under two clientIds would mean that two
 * parties share a private key, or that files were mixed up.
 */
public final class ClientStore {
  private final Database database;
  private final ClientRules rules;
  private final Clock clock;
  private final RandomGenerator random;
  private final AuditTrail trail;
  private final Author author;
  private final List<Runnable> listeners;

  /**
   * @param rules the rules for client records
   * @param random generates clientIds, which are not secret but should not be guessable
   */
  public ClientStore(Database database, ClientRules rules, Clock clock, RandomGenerator random) {
    this.database = database;
    this.rules = rules;
    this.clock = clock;
    this.random = random;
    this.trail = new AuditTrail(database, clock);
    this.author = Author.service();
    this.listeners = new CopyOnWriteArrayList<>();
  }

  private ClientStore(ClientStore original, Author author) {
    this.database = original.database;
    this.rules = original.rules;
    this.clock = original.clock;
    this.random = original.random;
    this.trail = original.trail;
    this.author = author;
    this.listeners = original.listeners;
  }

  /**
   * Returns a store that makes its changes in the name of an author. The default author is the
   * service.
   */
  public ClientStore by(Author author) {
    return new ClientStore(this, author);
  }

  /**
   * Returns the key rotation for clients that change their own keys.
   *
   * @param reader converts committed client records to the form that the access checks use
   * @param interval the least time between two rotations by the same client
   */
  public ClientKeyRotation rotation(ClientReader reader, Duration interval) {
    return new ClientKeyRotation(trail, clock, reader::read, interval);
  }

  /**
   * Registers a listener to run after each change by this process, such as {@link
   * ClientRegistry#refresh}.
   */
  public void afterEachChange(Runnable listener) {
    listeners.add(listener);
  }

  /**
   * Registers a client. It is enabled at once.
   *
   * @throws ClientException if a field is not allowed, or the clientId or key is taken
   * @throws KeyFileException if the key is too weak
   */
  public Client add(NewClient request) {
    return add(request, null);
  }

  /**
   * Registers a client with a proof of possession. The audit trail records that a proof was given.
   *
   * @param proof the proof, which this change uses up; null if no proof was required
   * @throws ClientException if a field is not allowed, the clientId or key is taken, or the proof
   *     has been used up
   * @throws KeyFileException if the key is too weak
   */
  public Client add(NewClient request, @Nullable PossessionProof proof) {
    String name = rules.name(request.name());
    List<String> whitelist = rules.whitelist(request.whitelist());
    List<String> roles = rules.roles(request.roles());
    Map<String, AttributeSetting> attributes = rules.attributes(request.attributes());
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
              ClientConflicts.requireFree(rows, clientId);
              Instant now = now();
              ClientKey key = key(request.publicKey(), now);
              ClientConflicts.requireUnowned(rows, key, clientId);
              Client client =
                  new Client(
                      clientId,
                      name,
                      whitelist,
                      roles,
                      attributes,
                      Status.ENABLED,
                      List.of(key),
                      now,
                      now,
                      revision);
              rows.write(null, client);
              if (proof != null) {
                rows.take(proof, request.publicKey(), now);
              }
              trail.append(sql, author, ClientChange.of("client.added", null, client, proof));
              return client;
            }));
  }

  /** Returns the client with this id; empty if there is none or it was removed. */
  public Optional<Client> find(String clientId) {
    return database
        .read(sql -> new ClientRows(sql).find(clientId))
        .filter(client -> client.status() != Status.REMOVED);
  }

  /**
   * Returns the client with this id.
   *
   * @throws ClientException if the client never existed or was removed; the message says which
   */
  public Client get(String clientId) {
    return database.read(sql -> ClientConflicts.require(new ClientRows(sql), clientId));
  }

  /** Returns the clients that are not removed, sorted by name. */
  public List<Client> list() {
    return database.read(sql -> new ClientRows(sql).list());
  }

  /** Changes the name, the whitelist, the roles or the attributes. */
  public Client update(String clientId, ClientUpdate update) {
    if (update.isEmpty()) {
      throw new ClientException(
          INVALID, "nothing to change: give a name, a whitelist, roles or attributes");
    }
    String name = update.name() == null ? null : rules.name(update.name());
    List<String> whitelist =
        update.whitelist() == null ? null : rules.whitelist(update.whitelist());
    List<String> roles = update.roles() == null ? null : rules.roles(update.roles());
    Map<String, AttributeSetting> attributes = rules.attributes(update.attributes());
    return change(
        clientId,
        "client.updated",
        (rows, client) -> {
          if (update.revision() != null && update.revision() != client.revision()) {
            throw new ClientException(
                CHANGED,
                "client "
                    + clientId
                    + " was changed by somebody else at "
                    + client.updatedAt()
                    + "; read it again and repeat the change");
          }
          return client.withRecord(
              name == null ? client.name() : name,
              whitelist == null ? client.whitelist() : whitelist,
              roles == null ? client.roles() : roles,
              changed(client, attributes, update.removedAttributes()));
        });
  }

  private Map<String, AttributeSetting> changed(
      Client client, Map<String, AttributeSetting> set, Set<String> removed) {
    rules.requireKnown(removed, client);
    Map<String, AttributeSetting> changed = new TreeMap<>(client.attributes());
    changed.keySet().removeAll(removed);
    changed.putAll(set);
    return changed;
  }

  /** Refuses the client's requests from now on, until {@link #enable}. */
  public Client disable(String clientId) {
    return change(
        clientId, "client.disabled", (rows, client) -> client.withStatus(Status.DISABLED));
  }

  public Client enable(String clientId) {
    return change(clientId, "client.enabled", (rows, client) -> client.withStatus(Status.ENABLED));
  }

  /**
   * Removes the client, its keys and its attributes permanently. Its clientId cannot be used again.
   */
  public Client remove(String clientId) {
    return change(clientId, "client.removed", (rows, client) -> client.removed());
  }

  /**
   * Adds a key beside the live key.
   *
   * @param endOthersAt when the client's other keys end; a past time means now. Null leaves them
   *     unchanged
   */
  public Client addKey(String clientId, RSAPublicKey publicKey, @Nullable Instant endOthersAt) {
    return addKey(clientId, publicKey, endOthersAt, null);
  }

  /**
   * Adds a key with a proof of possession beside the live key. The audit trail records that a proof
   * was given.
   *
   * @param endOthersAt when the client's other keys end; a past time means now. Null leaves them
   *     unchanged
   * @param proof the proof, which this change uses up; null if no proof was required
   */
  public Client addKey(
      String clientId,
      RSAPublicKey publicKey,
      @Nullable Instant endOthersAt,
      @Nullable PossessionProof proof) {
    RsaKeyRules.check(publicKey);
    return change(
        clientId,
        "client.key-added",
        proof,
        (rows, client) -> {
          Instant now = now();
          if (proof != null) {
            rows.take(proof, publicKey, now);
          }
          ClientKey key = key(publicKey, now);
          ClientConflicts.requireUnowned(rows, key, clientId);
          return client.withKeys(LiveKeys.add(client.keys(), key, milliseconds(endOthersAt), now));
        });
  }

  /**
   * Removes a key from a client, at once.
   *
   * @param fingerprint the key's fingerprint, or a unique beginning of it
   */
  public Client removeKey(String clientId, String fingerprint) {
    return change(
        clientId,
        "client.key-removed",
        (rows, client) -> client.withKeys(LiveKeys.remove(client.keys(), fingerprint, now())));
  }

  /**
   * Sets when a live key ends. Another key of the client must be live at that time.
   *
   * @param fingerprint the key's fingerprint, or a unique beginning of it
   * @param end a past time means now; null removes the end
   */
  public Client setKeyEnd(String clientId, String fingerprint, @Nullable Instant end) {
    return change(
        clientId,
        "client.key-end-set",
        (rows, client) ->
            client.withKeys(LiveKeys.end(client.keys(), fingerprint, milliseconds(end), now())));
  }

  private Client change(
      String clientId, String action, BiFunction<ClientRows, Client, Client> change) {
    return change(clientId, action, null, change);
  }

  private Client change(
      String clientId,
      String action,
      @Nullable PossessionProof proof,
      BiFunction<ClientRows, Client, Client> change) {
    return committed(
        database.write(
            sql -> {
              ClientRows rows = new ClientRows(sql);
              long revision = rows.nextRevision();
              Client before = ClientConflicts.require(rows, clientId);
              Client after = change.apply(rows, before).changedAt(now(), revision);
              rows.write(before, after);
              trail.append(sql, author, ClientChange.of(action, before, after, proof));
              return after;
            }));
  }

  private Client committed(Client client) {
    listeners.forEach(Runnable::run);
    return client;
  }

  static ClientKey key(RSAPublicKey key, Instant now) {
    return new ClientKey(
        KeyFingerprint.of(key).value(),
        Base64.getEncoder().encodeToString(key.getEncoded()),
        key.getModulus().bitLength(),
        now,
        null);
  }

  // Truncates the time to milliseconds, so that the stored and the returned time are equal.
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static @Nullable Instant milliseconds(@Nullable Instant time) {
    return time == null ? null : time.truncatedTo(ChronoUnit.MILLIS);
  }
}
