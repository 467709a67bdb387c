package dev.countersign.release.faults;

import dev.countersign.testing.TcpProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** A fault that a cluster has and recovers from. */
enum Fault {
  CALM(3, 1, Fault::stayCalm),
  PRIMARY_KILLED(31, 2, Fault::killPrimary),
  PRIMARY_CHANGED(12, 1, Fault::changePrimary),
  PRIMARY_FROZEN(10, 1, Fault::freezePrimary),
  DATABASE_PAUSED(20, 1, Fault::pauseDatabase),
  STANDBY_KILLED(4, 1, Fault::killStandby),
  NETWORK_SILENT(30, 1, Fault::silenceNetwork),
  NETWORK_REFUSED(6, 1, Fault::refuseConnections),
  NETWORK_SLOW(4, 1, Fault::slowNetwork),
  BOUNCER_KILLED(4, 1, Fault::killBouncer),
  NODE_KILLED(20, 1, Fault::killNode),
  NODE_STOPPED(20, 1, Fault::stopNode),
  CLOCK_STEPPED(10, 1, Fault::stepClock),
  COMMIT_CUT(CommitCut.all().size(), 2, Fault::cutCommit);

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
   * Lets the fault happen, and ends occurrence.
   *
   * @param index how often the fault has happened before
   * @return what distinguishes this occurrence, for the results
   */
  String strike(Cluster cluster, Traffic traffic, Random random, int index) throws Exception {
    return strike.on(new Occurrence(cluster, traffic, random, index));
  }

  private record Occurrence(Cluster cluster, Traffic traffic, Random random, int index) {}

  @FunctionalInterface
  private interface Strike {
    String on(Occurrence occurrence) throws Exception;
  }

  private static String stayCalm(Occurrence occurrence) throws Exception {
    Thread.sleep(5_000);
    return "";
  }

  private static String killPrimary(Occurrence occurrence) throws Exception {
    Cluster cluster = occurrence.cluster;
    Random random = occurrence.random;
    cluster.primary().kill();
    return promoteAfter(cluster, random.nextInt(3_000));
  }

  private static String changePrimary(Occurrence occurrence) throws Exception {
    Cluster cluster = occurrence.cluster;
    Random random = occurrence.random;
    cluster.primary().stop();
    return promoteAfter(cluster, random.nextInt(1_000));
  }

  private static String freezePrimary(Occurrence occurrence) throws Exception {
    Cluster cluster = occurrence.cluster;
    Random random = occurrence.random;
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

  private static String pauseDatabase(Occurrence occurrence) throws Exception {
    Cluster cluster = occurrence.cluster;
    Random random = occurrence.random;
    int pause = random.nextInt(1_000, 15_000);
    cluster.primary().freeze();
    Thread.sleep(pause);
    cluster.primary().thaw();
    return pause + " ms";
  }

  /** Every second time, the primary does without its standby. */
  private static String killStandby(Occurrence occurrence) throws Exception {
    Cluster cluster = occurrence.cluster;
    int pause = occurrence.random.nextInt(4_000, 15_000);
    boolean isAlone = occurrence.index % 2 == 1;
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

  private static String silenceNetwork(Occurrence occurrence) throws Exception {
    Cluster cluster = occurrence.cluster;
    Random random = occurrence.random;
    int pause = random.nextInt(1_000, 16_000);
    List<TcpProxy> silent = some(cluster.links(), random);
    silent.forEach(TcpProxy::silence);
    Thread.sleep(pause);
    silent.forEach(TcpProxy::resume);
    return silent.size() + " of " + cluster.links().size() + " links, " + pause + " ms";
  }

  private static String refuseConnections(Occurrence occurrence) throws Exception {
    Cluster cluster = occurrence.cluster;
    Random random = occurrence.random;
    int pause = random.nextInt(500, 8_000);
    List<TcpProxy> refusing = some(cluster.links(), random);
    refusing.forEach(TcpProxy::refuse);
    Thread.sleep(pause);
    refusing.forEach(TcpProxy::resume);
    return refusing.size() + " of " + cluster.links().size() + " links, " + pause + " ms";
  }

  private static String slowNetwork(Occurrence occurrence) throws Exception {
    Cluster cluster = occurrence.cluster;
    Random random = occurrence.random;
    int delay = random.nextInt(5, 150);
    cluster.links().forEach(link -> link.delay(Duration.ofMillis(delay)));
    Thread.sleep(8_000);
    cluster.links().forEach(link -> link.delay(Duration.ZERO));
    return delay + " ms";
  }

  private static String killBouncer(Occurrence occurrence) throws Exception {
    Cluster cluster = occurrence.cluster;
    Random random = occurrence.random;
    int pause = random.nextInt(200, 6_000);
    cluster.killBouncer();
    Thread.sleep(pause);
    cluster.startBouncer();
    return pause + " ms";
  }

  private static String killNode(Occurrence occurrence) throws Exception {
    Cluster cluster = occurrence.cluster;
    Random random = occurrence.random;
    Node node = any(cluster, random);
    node.kill();
    Thread.sleep(random.nextInt(2_000));
    node.start();
    return node.name();
  }

  private static String stopNode(Occurrence occurrence) throws Exception {
    Cluster cluster = occurrence.cluster;
    Random random = occurrence.random;
    Node node = any(cluster, random);
    int pause = random.nextInt(1_000, 25_000);
    node.freeze();
    Thread.sleep(pause);
    node.thaw();
    return node.name() + ", " + pause + " ms";
  }

  /** Earlier requests reach the node before it notices that its clock is wrong. */
  private static String stepClock(Occurrence occurrence) throws Exception {
    Node node = any(occurrence.cluster, occurrence.random);
    Duration step = CLOCK_STEPS.get(occurrence.index % CLOCK_STEPS.size());
    node.setClock(step);
    String replays = occurrence.traffic.replayTo(node, step);
    Programs.await(node.name() + " to notice its clock", () -> !node.probeReadiness());
    Thread.sleep(occurrence.random.nextInt(1_000, 8_000));
    node.setClock(Duration.ZERO);
    return node.name() + ", " + step.toSeconds() + " s, " + replays;
  }

  private static String cutCommit(Occurrence occurrence) throws Exception {
    List<CommitCut> all = CommitCut.all();
    CommitCut place = all.get(occurrence.index % all.size());
    place.strike(occurrence.cluster, occurrence.traffic, occurrence.traffic.newReference());
    return place.side() + " after " + place.messages() + ", primary " + place.primary();
  }

  /**
   * Promotes the standby after a pause, and makes the old primary, which has ended, its standby.
   */
  private static String promoteAfter(Cluster cluster, int pause)
      throws IOException, InterruptedException {
    Thread.sleep(pause);
    cluster.promote();
    Thread.sleep(3_000);
    cluster.addStandby();
    return "promoted after " + pause + " ms";
  }

  private static Node any(Cluster cluster, Random random) {
    return cluster.nodes().get(random.nextInt(cluster.nodes().size()));
  }

  /** Returns some of the links, or all of them. */
  private static List<TcpProxy> some(List<TcpProxy> links, Random random) {
    List<TcpProxy> chosen = links.stream().filter(link -> random.nextBoolean()).toList();
    return chosen.isEmpty() || random.nextInt(3) == 0 ? List.copyOf(links) : chosen;
  }

  /** Returns the fault with this name on the command line. */
  static Fault of(String word) {
    return Arrays.stream(values())
        .filter(fault -> fault.option().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no fault " + word));
  }
}
