package dev.countersign.server.nodes;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.nodes.NodeStore.NodeStatus;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.FailureLog;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The heartbeat of this process: a row that shows the other nodes, and operators, that it runs.
 * Each heartbeat also compares the clocks of the nodes.
 *
 * <p>On a shared database, the registry of clients commits a heartbeat once per second. On SQLite,
 * {@link #beatAlone} writes it periodically, for operators only.
 */
public final class Heartbeat implements AutoCloseable {
  // The number of heartbeats between two deletions of old rows: ten minutes on a shared database.
  private static final int BEATS_PER_DELETION = 600;

  private final Database database;
  private final NodeStore nodes;
  private final Identity identity;
  private final NodeFitness fitness;
  private final Clock clock;
  private final ClockComparison clocks;
  private final String id = HexFormat.of().formatHex(random());
  private final FailureLog failures = new FailureLog("the node is not listed as running");
  private int beats;
  private volatile boolean draining;
  private volatile boolean hasOtherNodes;
  private final AtomicReference<ClockReading> last =
      new AtomicReference<>(new ClockReading(Duration.ZERO, Duration.ZERO));

  /**
   * Creates the heartbeat of a process that starts now.
   *
   * @param maximumSkew how far the clock may differ from the database and most other nodes
   */
  public Heartbeat(
      Database database,
      Identity identity,
      NodeFitness fitness,
      Clock clock,
      Duration maximumSkew) {
    this.database = database;
    this.nodes = new NodeStore(database);
    this.identity = identity;
    this.fitness = fitness;
    this.clock = clock;
    this.clocks = new ClockComparison(maximumSkew, fitness);
  }

  /**
   * The names under which operators know a node.
   *
   * @param name its host and port; the port is known only after the start
   * @param version the version of Countersign
   */
  public record Identity(Supplier<String> name, String version) {}

  private static byte[] random() {
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    return random;
  }

  /** Writes a heartbeat in the caller's transaction, and compares the clocks. */
  public void beat(JdbcClient sql) {
    if (beats++ % BEATS_PER_DELETION == 0) {
      nodes.deleteOld(sql);
    }
    ClockReading own = read(sql);
    last.set(own);
    nodes.write(
        sql,
        new NodeStatus(id, identity.name.get(), identity.version, own, fitness.age(), draining));
    List<ClockReading> others = nodes.otherClocks(sql, id);
    hasOtherNodes = !others.isEmpty();
    clocks.compare(own, others);
  }

  /**
   * Compares the clocks. The database reads its clock at some time during the round trip, so the
   * maximum error is half of the round trip.
   */
  private ClockReading read(JdbcClient sql) {
    long start = fitness.now();
    Instant before = clock.instant();
    Instant databaseTime = nodes.time(sql);
    Duration half = Duration.ofNanos(fitness.now() - start).dividedBy(2);
    return new ClockReading(Duration.between(databaseTime, before).plus(half), half);
  }

  /** Writes a heartbeat in its own transaction. Logs a failure of the store. */
  public void beatAlone() {
    failures.attempt(
        () ->
            database.write(
                sql -> {
                  beat(sql);
                  return sql;
                }));
  }

  /** Shows from the next heartbeat on that the node is stopping. */
  public void drain() {
    draining = true;
  }

  /** Returns the clock of this node at its last heartbeat. */
  ClockReading clock() {
    return last.get();
  }

  /** Returns whether other nodes were running at the last heartbeat. */
  public boolean hasOtherNodes() {
    return hasOtherNodes;
  }

  /** Deletes the row of this node. */
  @Override
  public void close() {
    failures.attempt(() -> nodes.delete(id));
  }
}
