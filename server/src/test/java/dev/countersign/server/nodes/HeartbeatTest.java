package dev.countersign.server.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class HeartbeatTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(TestStore.class)
  void beat_isListedUntilTheNodeStops(TestStore store) {
    try (Database database = store.open(folder)) {
      NodeStore nodes = new NodeStore(database);
      Heartbeat first = heartbeat(database, "a:1", Clock.systemUTC());
      Heartbeat second =
          heartbeat(database, "b:2", Clock.offset(Clock.systemUTC(), Duration.ofSeconds(-10)));
      // A pause between the readings of the two clocks makes them inexact until the next heartbeat.
      Awaitility.await()
          .pollDelay(Duration.ZERO)
          .untilAsserted(
              () -> {
                first.beatAlone();
                second.beatAlone();
                first.beatAlone();
                assertBothListed(nodes);
              });
      assertThat(first.hasOtherNodes()).isTrue();
      first.drain();
      first.beatAlone();
      assertThat(nodes.list().getFirst().state()).isEqualTo("draining");
      first.close();
      assertThat(nodes.list()).singleElement().extracting(ServiceNode::name).isEqualTo("b:2");
    }
  }

  private static void assertBothListed(NodeStore nodes) {
    assertThat(nodes.list())
        .satisfiesExactly(
            one -> {
              assertThat(one.name()).isEqualTo("a:1");
              assertThat(one.version()).isEqualTo("0.1");
              assertThat(one.state()).isEqualTo("running");
              assertThat(one.startedAt())
                  .isBetween(Instant.now().minus(MINUTE), Instant.now().plus(MINUTE));
              assertThat(one.sinceHeartbeat()).isBetween(Duration.ZERO, MINUTE);
              assertThat(one.isClockOff()).isFalse();
            },
            other -> {
              assertThat(other.name()).isEqualTo("b:2");
              assertThat(other.isClockOff()).isTrue();
              assertThat(other.clockDifference()).matches("(9|1\\d)[.]\\d s behind");
            });
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void node_thatWasKilled_isSilentForADay(TestStore store) {
    try (Database database = store.open(folder)) {
      NodeStore nodes = new NodeStore(database);
      Heartbeat old = heartbeat(database, "old:1", Clock.systemUTC());
      old.beatAlone();
      assertThat(old.hasOtherNodes()).isFalse();
      age(database, "old:1", Duration.ofHours(23));
      Heartbeat running = heartbeat(database, "new:1", Clock.systemUTC());
      // A machine that pauses for half a minute makes this node silent too, until it beats again.
      Awaitility.await()
          .pollDelay(Duration.ZERO)
          .untilAsserted(
              () -> {
                running.beatAlone();
                assertThat(nodes.list())
                    .extracting(ServiceNode::state)
                    .containsExactly("running", "silent");
              });
      age(database, "old:1", Duration.ofHours(25));
      heartbeat(database, "next:1", Clock.systemUTC()).beatAlone();
      assertThat(nodes.list()).extracting(ServiceNode::name).containsExactly("new:1", "next:1");
    }
  }

  /** The silent node, whose clock was right, has no vote any more. */
  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void clock_beyondTheDatabaseAndMostRunningNodes_isRefused(TestStore store) {
    Clock wrong = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(700));
    try (Database database = store.open(folder)) {
      Heartbeat right = heartbeat(database, "right:1", Clock.systemUTC());
      NodeFitness fitness = fit();
      Heartbeat ours = heartbeat(database, "wrong:1", wrong, fitness);
      Awaitility.await()
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                right.beatAlone();
                ours.beatAlone();
                return !fitness.isFit();
              });
      age(database, "right:1", Duration.ofHours(1));
      ours.beatAlone();
      assertThat(fitness.isFit()).isTrue();
    }
  }

  /**
   * A node that pauses while it reads its clock tells the others how far the reading may be off.
   */
  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void clock_readSlowly_isNoFault(TestStore store) {
    AtomicLong nanos = new AtomicLong();
    NodeFitness fitness = new NodeFitness(Duration.ofHours(1), nanos::get);
    InstantSource slow =
        () -> {
          Instant read = Instant.now();
          nanos.addAndGet(Duration.ofMinutes(2).toNanos()); // the machine pauses
          return read;
        };
    try (Database database = store.open(folder)) {
      heartbeat(database, "slow:1", slow.withZone(ZoneOffset.UTC), fitness).beatAlone();

      NodeStore nodes = new NodeStore(database);
      assertThat(nodes.list())
          .singleElement()
          .satisfies(
              node -> {
                assertThat(node.reading().difference()).isGreaterThan(Duration.ofSeconds(50));
                assertThat(node.reading().error()).isGreaterThanOrEqualTo(MINUTE);
                assertThat(node.isClockOff()).isFalse();
              });
      List<ClockReading> read = database.read(sql -> nodes.otherClocks(sql, "another"));
      assertThat(read).containsExactly(nodes.list().getFirst().reading());
    }
  }

  private static void age(Database database, String name, Duration age) {
    database.write(
        sql ->
            sql.sql(
                    "UPDATE service_nodes SET heartbeat_at = "
                        + database.dialect().epochMillis()
                        + " - ? WHERE name = ?")
                .param(age.toMillis())
                .param(name)
                .update());
  }

  private static NodeFitness fit() {
    NodeFitness fitness = new NodeFitness(Duration.ofHours(1), System::nanoTime);
    fitness.roundCompleted(fitness.now());
    return fitness;
  }

  private static Heartbeat heartbeat(Database database, String name, Clock clock) {
    return heartbeat(database, name, clock, fit());
  }

  private static Heartbeat heartbeat(
      Database database, String name, Clock clock, NodeFitness fitness) {
    return new Heartbeat(
        database,
        new Heartbeat.Identity(() -> name, "0.1"),
        fitness,
        clock,
        Duration.ofSeconds(30));
  }
}
