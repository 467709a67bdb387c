package dev.countersign.server.clients;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.access.directory.ClientDirectory;
import dev.countersign.server.access.directory.CommittedClients;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.clients.Client.Status;
import dev.countersign.server.clients.ClientRows.Position;
import dev.countersign.server.clients.ClientRows.Snapshot;
import dev.countersign.server.clients.ClientRows.Stored;
import dev.countersign.server.store.Alarm;
import dev.countersign.server.store.Database;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * All clients in memory, for the access path. Finding a client is a look-up in a map.
 *
 * <p>The store counts all changes. Four times per second, a background thread reads this count. If
 * the count has changed, the thread reads the changed clients, so the registry also sees changes
 * made by other processes and nodes. While the store cannot be read, the last known clients stay in
 * the map; {@link NodeFitness} decides how long they may be used.
 *
 * <p>Only the background thread reads the store, and it holds no lock while it reads. So a store
 * that does not answer delays nobody but this thread.
 *
 * <p>A failover to a lagging copy may lose changes, and later changes then get the same revisions.
 * Each revision therefore has a random token. If the token of the last revision that the registry
 * has seen is not in the store, the registry reads all clients again. Once a minute it also
 * compares the last changes of all clients.
 */
public final class ClientRegistry implements ClientDirectory, CommittedClients, AutoCloseable {
  /** The interval between two reads of the store. */
  static final Duration INTERVAL = Duration.ofMillis(250);

  /** The interval between two heartbeats. */
  static final Duration HEARTBEAT = Duration.ofSeconds(1);

  /** The maximum time that {@link #refresh} waits. */
  static final Duration REFRESH_WAIT = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(ClientRegistry.class);
  // The maximum number of clients per read.
  private static final int CHUNK = 2_000;

  private final Database database;
  private final NodeFitness fitness;
  private final @Nullable Consumer<JdbcClient> heartbeat;
  private final Map<String, RegistryEntry> entries = new ConcurrentHashMap<>();
  private final RegistryComparison comparison;
  // Kept in a field, so that look-ups allocate nothing.
  private final Function<Client, RegisteredClient> reader;
  private final Thread watcher =
      Thread.ofPlatform().daemon().name("client-registry").unstarted(this::watch);

  // Used by the background thread only, once it runs.
  private Position seen = Position.START;
  private long lastHeartbeat;
  private final Alarm unreadable = new Alarm();

  // Guards the fields below; never held while the store is used.
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition asked = lock.newCondition();
  private final Condition completed = lock.newCondition();
  private long askedRounds;
  private long completedRounds;
  private boolean closed;

  private ClientRegistry(
      Database database,
      ClientReader reader,
      NodeFitness fitness,
      @Nullable Consumer<JdbcClient> heartbeat) {
    this.database = database;
    this.fitness = fitness;
    this.heartbeat = heartbeat;
    this.reader = reader::read;
    this.comparison = new RegistryComparison(database, entries, fitness.now());
    this.lastHeartbeat = fitness.now() - HEARTBEAT.toNanos();
  }

  /**
   * Loads all clients and starts watching for changes.
   *
   * @param reader converts the records for the access path
   * @param fitness records each complete round
   * @param heartbeat writes the node's heartbeat. A round is complete only if the heartbeat was
   *     committed, because a standby, or a primary that was replaced, cannot commit it. Null if
   *     reading suffices
   * @throws RuntimeException if the store cannot be used
   */
  public static ClientRegistry open(
      Database database,
      ClientReader reader,
      NodeFitness fitness,
      @Nullable Consumer<JdbcClient> heartbeat) {
    ClientRegistry registry = new ClientRegistry(database, reader, fitness, heartbeat);
    registry.load();
    registry.round();
    registry.watcher.start();
    return registry;
  }

  @Override
  public Optional<RegisteredClient> find(String keyid) {
    RegistryEntry entry = entries.get(keyid);
    return entry == null ? Optional.empty() : Optional.of(entry.client(reader));
  }

  /** Reads a client in the caller's transaction, past the clients in memory. */
  @Override
  public Optional<RegisteredClient> find(JdbcClient sql, String clientId) {
    return new ClientRows(sql)
        .find(clientId)
        .filter(client -> client.status() != Status.REMOVED)
        .map(reader);
  }

  /** Returns whether no client is registered. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /**
   * Loads the changes made up to now, which is fast if there are none. Returns without them if the
   * store does not answer within 2 s; the background thread loads them as soon as it can.
   */
  public void refresh() {
    lock.lock();
    try {
      long round = ++askedRounds;
      asked.signal();
      long left = REFRESH_WAIT.toNanos();
      while (completedRounds < round && !closed && left > 0) {
        left = completed.awaitNanos(left);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Stops watching; {@link #find} continues with the last state. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      asked.signal();
      completed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      watcher.join(Duration.ofSeconds(5));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch() {
    try {
      for (long round = next(); round >= 0; round = next()) {
        roundOrLog();
        complete(round);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until the next round is due.
   *
   * @return the last refresh that this round serves; -1 once the registry is closed
   */
  private long next() throws InterruptedException {
    lock.lock();
    try {
      long left = INTERVAL.toNanos();
      while (askedRounds == completedRounds && !closed && left > 0) {
        left = asked.awaitNanos(left);
      }
      return closed ? -1 : askedRounds;
    } finally {
      lock.unlock();
    }
  }

  private void complete(long round) {
    lock.lock();
    try {
      completedRounds = round;
      completed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void roundOrLog() {
    try {
      if (round() && unreadable.clear().isPresent()) {
        LOG.info("resolved: the clients cannot be read");
      }
    } catch (RuntimeException failed) {
      if (unreadable.raise()) {
        LOG.warn(
            "the clients cannot be read; the last known clients stay in use until they are too old:"
                + " {}",
            failed.getMessage());
      }
    }
  }

  /** Reads the changes and returns whether the registry is known to be up to date. */
  private boolean round() {
    long start = fitness.now();
    boolean complete = heartbeat == null;
    if (heartbeat != null && start - lastHeartbeat >= HEARTBEAT.toNanos()) {
      lastHeartbeat = start;
      Snapshot snapshot = beat(heartbeat);
      if (!isSeen(snapshot)) {
        load();
      }
      complete = covers(snapshot.current());
    } else {
      load();
    }
    if (complete) {
      fitness.roundCompleted(start);
    }
    comparison.step(start, seen.revision());
    return complete;
  }

  /** Commits the heartbeat and reads the position, on the same connection. */
  private Snapshot beat(Consumer<JdbcClient> heartbeat) {
    return database.write(
        sql -> {
          heartbeat.accept(sql);
          return new ClientRows(sql).snapshot(seen.revision());
        });
  }

  private boolean isSeen(Snapshot snapshot) {
    return snapshot.current().equals(seen);
  }

  /** Returns whether the registry has all changes up to the store's current position. */
  private boolean covers(Position position) {
    return seen.revision() > position.revision() || seen.equals(position);
  }

  private void load() {
    // The position is read before the clients. If a change is committed in between, the next round
    // reads the changed client again.
    Snapshot snapshot = database.read(sql -> new ClientRows(sql).snapshot(seen.revision()));
    if (snapshot.token() != seen.token() || snapshot.current().revision() < seen.revision()) {
      if (snapshot.current().revision() - seen.revision() >= ClientRows.TOKENS) {
        // The token was deleted, so this is not known to be the same copy of the database.
        LOG.warn(
            "the clients were last read at least {} changes ago, or the database was replaced by"
                + " another copy; all clients are read again",
            ClientRows.TOKENS);
      } else {
        LOG.warn("the database was replaced by another copy; all clients are read again");
      }
      Set<String> loaded = loadAfter(0);
      entries.keySet().retainAll(loaded);
    } else if (!isSeen(snapshot)) {
      loadAfter(seen.revision());
    }
    seen = snapshot.current();
  }

  private Set<String> loadAfter(long revision) {
    Set<String> loaded = new HashSet<>();
    long after = revision;
    List<Stored> changed;
    do {
      long from = after;
      changed = database.read(sql -> new ClientRows(sql).changedAfter(from, CHUNK));
      for (Stored stored : changed) {
        loaded.add(stored.client().clientId());
        take(entries, stored);
        after = stored.position().revision();
      }
    } while (changed.size() == CHUNK);
    return loaded;
  }

  /**
   * Replaces a client by the stored one, or removes it if the stored one was removed. Returns
   * whether the client was or is now among the entries.
   */
  static boolean take(Map<String, RegistryEntry> entries, Stored stored) {
    Client client = stored.client();
    if (client.status() == Status.REMOVED) {
      return entries.remove(client.clientId()) != null;
    }
    entries.put(client.clientId(), new RegistryEntry(client, stored.position()));
    return true;
  }
}
