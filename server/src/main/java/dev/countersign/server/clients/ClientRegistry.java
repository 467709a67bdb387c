package dev.countersign.server.clients;

import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.ClientDirectory;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.clients.Client.Status;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All clients in memory, for the access path. Finding a client is a look-up in a map.
 *
 * <p>The store counts all changes. Four times per second, a background thread reads this count. If
 * the count has changed, the thread reads the changed clients, so the registry also sees changes
 * made by other processes and nodes. While the store cannot be reached, the last known clients stay
 * in use.
 */
public final class ClientRegistry implements ClientDirectory, AutoCloseable {
  /** The interval between two reads of the store. */
  static final Duration INTERVAL = Duration.ofMillis(250);

  private static final Logger LOG = LoggerFactory.getLogger(ClientRegistry.class);
  // The maximum number of clients per read.
  private static final int CHUNK = 2_000;

  private final Database database;
  private final Roles roles;
  private final Attributes attributes;
  private final CryptoProvider crypto;
  private final Map<String, RegistryEntry> entries = new ConcurrentHashMap<>();
  private final Map<List<String>, Set<Permission>> permissions = new ConcurrentHashMap<>();
  // Kept in a field, so that look-ups allocate nothing.
  private final Function<Client, RegisteredClient> reader = this::registered;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread watcher =
      Thread.ofPlatform().daemon().name("client-registry").unstarted(this::watch);

  private long seen;
  private boolean failing;

  private ClientRegistry(
      Database database, Roles roles, Attributes attributes, CryptoProvider crypto) {
    this.database = database;
    this.roles = roles;
    this.attributes = attributes;
    this.crypto = crypto;
  }

  /**
   * Loads all clients and starts watching for changes.
   *
   * @param crypto the provider that parses the keys and verifies with them
   * @throws RuntimeException if the store cannot be read
   */
  public static ClientRegistry open(
      Database database, Roles roles, Attributes attributes, CryptoProvider crypto) {
    ClientRegistry registry = new ClientRegistry(database, roles, attributes, crypto);
    registry.load();
    registry.watcher.start();
    return registry;
  }

  @Override
  public Optional<RegisteredClient> find(String keyid) {
    RegistryEntry entry = entries.get(keyid);
    return entry == null ? Optional.empty() : Optional.of(entry.client(reader));
  }

  /** Returns whether no client is registered. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /**
   * Loads the changes made up to now, which is fast if there are none. Logs a failure of the store.
   */
  public synchronized void refresh() {
    try {
      load();
      if (failing) {
        LOG.info("the store can be read again; the clients are up to date");
      }
      failing = false;
    } catch (RuntimeException failed) {
      if (!failing) {
        LOG.warn("the store cannot be read; the last known clients stay in use", failed);
      }
      failing = true;
    }
  }

  /** Stops watching; {@link #find} continues with the last state. */
  @Override
  public void close() {
    closed.countDown();
    try {
      watcher.join(Duration.ofSeconds(5));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch() {
    try {
      while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        refresh();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void load() {
    // The count of changes is read before the clients. If a change is committed in between, the
    // next round reads the changed client again.
    long current = database.read(sql -> new ClientRows(sql).revision());
    if (current < seen) {
      reloadAll();
    } else if (current > seen) {
      loadAfter(seen);
    }
    seen = current;
  }

  private Set<String> loadAfter(long revision) {
    Set<String> loaded = new HashSet<>();
    long after = revision;
    List<Client> changed;
    do {
      long from = after;
      changed = database.read(sql -> new ClientRows(sql).changedAfter(from, CHUNK));
      for (Client client : changed) {
        loaded.add(client.clientId());
        take(client);
        after = client.revision();
      }
    } while (changed.size() == CHUNK);
    return loaded;
  }

  // The count decreased, so the database was replaced by an older one.
  private void reloadAll() {
    LOG.warn("the database was replaced by an older copy; all clients are read again");
    Set<String> loaded = loadAfter(0);
    entries.keySet().retainAll(loaded);
  }

  private void take(Client client) {
    if (client.status() == Status.REMOVED) {
      entries.remove(client.clientId());
    } else {
      entries.put(client.clientId(), new RegistryEntry(client));
    }
  }

  /** Converts a record for the access path. */
  RegisteredClient registered(Client client) {
    return new RegisteredClient(
        client.clientId(),
        client.status() == Status.ENABLED,
        NetworkWhitelist.parse(client.whitelist()),
        permissions.computeIfAbsent(client.roles(), roles::permissionsOf),
        attributes.admitted(client.attributes()),
        client.keys().stream().map(this::key).toList());
  }

  private RegisteredClient.Key key(ClientKey key) {
    VerificationKey verificationKey =
        new VerificationKey(
            SignatureAlgorithm.RSA_V1_5_SHA256,
            RsaPublicKeys.read(key.publicKey(), crypto),
            crypto);
    return new RegisteredClient.Key(key.fingerprint(), verificationKey, key.endsAt());
  }
}
