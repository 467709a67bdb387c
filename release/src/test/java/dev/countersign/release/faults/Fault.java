package dev.countersign.release.faults;

import dev.countersign.testing.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

/** A fault that a cluster has and recovers from. */
enum Fault {
  CALM(3, 1, Occurrence::stayCalm),
  PRIMARY_KILLED(31, 2, Occurrence::killPrimary),
  PRIMARY_CHANGED(12, 1, Occurrence::changePrimary),
  PRIMARY_FROZEN(10, 1, Occurrence::freezePrimary),
  DATABASE_PAUSED(20, 1, Occurrence::pauseDatabase),
  STANDBY_KILLED(4, 1, Occurrence::killStandby),
  NETWORK_SILENT(30, 1, it -> it.disturbNetwork(1_000, 16_000, TcpProxy::silence)),
  NETWORK_REFUSED(6, 1, it -> it.disturbNetwork(500, 8_000, TcpProxy::refuse)),
  NETWORK_SLOW(4, 1, Occurrence::slowNetwork),
  BOUNCER_KILLED(4, 1, Occurrence::killBouncer),
  NODE_KILLED(20, 1, Occurrence::killNode),
  NODE_STOPPED(20, 1, Occurrence::stopNode),
  CLOCK_STEPPED(10, 1, Occurrence::stepClock),
  COMMIT_CUT(CommitCut.all().size(), 2, Occurrence::cutCommit);

  private static final List<Duration> CLOCK_STEPS =
      List.of(
          Duration.ofSeconds(40),
          Duration.ofSeconds(-40),
          Duration.ofSeconds(700),
          Duration.ofSeconds(-700),
          Duration.ofDays(31),
          Duration.ofDays(-31));

  private final int repetitions;
  private final int quickRepetitions;
  private final Strike strike;

  Fault(int repetitions, int quickRepetitions, Strike strike) {
    this.repetitions = repetitions;
    this.quickRepetitions = quickRepetitions;
    this.strike = strike;
  }

  /** Returns the name on the command line. */
  String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns how often the fault occurs in a whole campaign. */
  int repetitions() {
    return repetitions;
  }

  /** Returns how often the fault occurs in the selection of ten minutes. */
  int quickRepetitions() {
    return quickRepetitions;
  }

  /** Returns whether a node may be cut off from the database, or frozen, for some time. */
  boolean cutsNodesOff() {
    return this != CALM && this != NODE_KILLED && this != CLOCK_STEPPED;
  }

  /**
   * Lets the fault happen, and ends it.
   *
   * @param index how often the fault has happened before
   * @return what distinguishes this occurrence, for the results
   */
  String strike(Cluster cluster, Traffic traffic, Random random, int index) throws Exception {
    return strike.on(new Occurrence(cluster, traffic, random, index));
  }

  @FunctionalInterface
  private interface Strike {
    String on(Occurrence occurrence) throws Exception;
  }

  /** Returns the fault with this name on the command line. */
  static Fault of(String option) {
    return Arrays.stream(values())
        .filter(fault -> fault.option().equals(option))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no fault " + option));
  }

  /** One occurrence of a fault. Each method lets a fault happen, and returns the detail. */
  private record Occurrence(Cluster cluster, Traffic traffic, Random random, int index) {
    String stayCalm() throws InterruptedException {
      Thread.sleep(5_000);
      return "";
    }

    String killPrimary() throws IOException, InterruptedException {
      cluster.primary().kill();
      return promoteAfter(random.nextInt(3_000));
    }

    String changePrimary() throws IOException, InterruptedException {
      cluster.primary().end("INT"); // a fast shutdown: open connections are closed
      return promoteAfter(random.nextInt(1_000));
    }

    /** Promotes the standby, and makes the old primary, which has ended, its standby. */
    private String promoteAfter(int pause) throws IOException, InterruptedException {
      Thread.sleep(pause);
      cluster.promote();
      Thread.sleep(3_000);
      cluster.addStandby();
      return "promoted after " + pause + " ms";
    }

    String freezePrimary() throws IOException, InterruptedException {
      Postgres frozen = cluster.primary();
      int pause = random.nextInt(1_000, 12_000);
      frozen.freeze();
      Thread.sleep(pause);
      cluster.promote();
      Thread.sleep(random.nextInt(1_000, 8_000));
      frozen.thaw();
      Thread.sleep(2_000);
      frozen.kill();
      cluster.addStandby();
      return "promoted after " + pause + " ms";
    }

    String pauseDatabase() throws IOException, InterruptedException {
      int pause = random.nextInt(1_000, 15_000);
      cluster.primary().freeze();
      Thread.sleep(pause);
      cluster.primary().thaw();
      return pause + " ms";
    }

    /** Every second time, the primary does without its standby. */
    String killStandby() throws IOException, InterruptedException {
      int pause = random.nextInt(4_000, 15_000);
      boolean isAlone = index % 2 == 1;
      cluster.standby().kill();
      Thread.sleep(2_000);
      if (isAlone) {
        cluster.workAlone();
      }
      Thread.sleep(pause);
      cluster.standby().start();
      cluster.waitForStandby();
      return pause + " ms" + (isAlone ? ", primary alone" : "");
    }

    /** Lets some of the links, or all of them, fail for a time between two in milliseconds. */
    String disturbNetwork(int shortest, int longest, Consumer<TcpProxy> failure)
        throws InterruptedException {
      int pause = random.nextInt(shortest, longest);
      List<TcpProxy> all = cluster.links();
      List<TcpProxy> some = all.stream().filter(link -> random.nextBoolean()).toList();
      List<TcpProxy> failing = some.isEmpty() || random.nextInt(3) == 0 ? all : some;
      failing.forEach(failure);
      Thread.sleep(pause);
      failing.forEach(TcpProxy::resume);
      return failing.size() + " of " + all.size() + " links, " + pause + " ms";
    }

    String slowNetwork() throws InterruptedException {
      int delay = random.nextInt(5, 150);
      cluster.links().forEach(link -> link.delay(Duration.ofMillis(delay)));
      Thread.sleep(8_000);
      cluster.links().forEach(link -> link.delay(Duration.ZERO));
      return delay + " ms";
    }

    String killBouncer() throws IOException, InterruptedException {
      int pause = random.nextInt(200, 6_000);
      cluster.killBouncer();
      Thread.sleep(pause);
      cluster.startBouncer();
      return pause + " ms";
    }

    private Node anyNode() {
      return cluster.nodes().get(random.nextInt(cluster.nodes().size()));
    }

    String killNode() throws IOException, InterruptedException {
      Node node = anyNode();
      node.kill();
      Thread.sleep(random.nextInt(2_000));
      node.start();
      return node.name();
    }

    String stopNode() throws IOException, InterruptedException {
      Node node = anyNode();
      int pause = random.nextInt(1_000, 25_000);
      node.freeze();
      Thread.sleep(pause);
      node.thaw();
      return node.name() + ", " + pause + " ms";
    }

    /** Earlier requests reach the node before it notices that its clock is wrong. */
    String stepClock() throws IOException, InterruptedException {
      Node node = anyNode();
      Duration step = CLOCK_STEPS.get(index % CLOCK_STEPS.size());
      node.setClock(step);
      String replays = traffic.replayTo(node, step);
      Programs.await(node.name() + " to notice its clock", () -> !node.probeReadiness());
      Thread.sleep(random.nextInt(1_000, 8_000));
      node.setClock(Duration.ZERO);
      return node.name() + ", " + step.toSeconds() + " s, " + replays;
    }

    String cutCommit() throws Exception {
      List<CommitCut> all = CommitCut.all();
      CommitCut place = all.get(index % all.size());
      place.strike(cluster, traffic, traffic.newReference());
      return place.side() + " after " + place.messages() + ", primary " + place.primary();
    }
  }
}
