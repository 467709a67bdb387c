package dev.countersign.release.faults;

import dev.countersign.release.faults.History.Verdict;
import dev.countersign.release.faults.Results.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Makes a cluster fail while partners call it, and compares what they were told with what is
 * stored, in the manner of Jepsen: acknowledged writes must be there, and nothing may be there
 * twice.
 */
public final class Campaign {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** The time after which a change to a client applies on every node that reaches the database. */
  private static final Duration APPLIES = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final Results results;
  private final long seed;
  private final History history = new History();
  private final Caller caller;
  private final Caller first;
  private final Caller second;
  private Verdict reported = new Verdict(Set.of(), Set.of(), Set.of());

  private Campaign(Cluster cluster, Results results, long seed) throws Exception {
    this.cluster = cluster;
    this.results = results;
    this.seed = seed;
    this.caller = cluster.register();
    this.first = cluster.register();
    this.second = cluster.register();
  }

  /**
   * Runs the faults that are missing in the results. The exit code is 0 if every promise was kept,
   * 1 if one was broken, and 2 if a run could not be completed.
   *
   * @param args an empty folder, the release, the root of the source tree, the file of the results,
   *     the seed, the number of runs of each fault, or {@code all} or {@code quick}, and the
   *     faults, all if there is none
   */
  public static void main(String[] args) {
    int code = 2;
    try {
      code = run(args);
    } catch (Exception e) {
      e.printStackTrace();
    }
    System.exit(code);
  }

  private static int run(String[] args) throws Exception {
    Path release = Path.of(args[1]);
    Results results = Results.open(Path.of(args[3]), checksum(release));
    List<Fault> plan = plan(args[5], Arrays.stream(args).skip(6).map(Fault::of).toList(), results);
    try {
      if (!plan.isEmpty()) {
        System.out.println(plan.size() + " runs; setting up the cluster as in docs/operating.md");
        try (Cluster cluster = Cluster.start(Path.of(args[0]), release, Path.of(args[2]))) {
          new Campaign(cluster, results, Long.parseLong(args[4])).run(plan);
        }
      }
    } finally {
      System.out.println();
      System.out.print(results.table());
    }
    return results.areFailed() ? 1 : 0;
  }

  /** Returns a checksum of the product's own jars. */
  private static String checksum(Path release) throws IOException, NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (Stream<Path> jars = Files.list(release.resolve("lib"))) {
      for (Path jar :
          jars.filter(file -> file.getFileName().toString().matches("countersign-.*\\.jar"))
              .sorted()
              .toList()) {
        digest.update(Files.readAllBytes(jar));
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Returns the runs that are missing, with the faults in turn. */
  private static List<Fault> plan(String repeat, List<Fault> only, Results results) {
    List<Fault> faults = only.isEmpty() ? List.of(Fault.values()) : only;
    Map<Fault, Integer> missing = new HashMap<>();
    for (Fault fault : faults) {
      int wanted =
          switch (repeat) {
            case "all" -> fault.repetitions();
            case "quick" -> fault.quickRepetitions();
            default -> Integer.parseInt(repeat);
          };
      missing.put(fault, Math.max(0, wanted - results.count(fault)));
    }
    List<Fault> plan = new ArrayList<>();
    boolean isComplete = false;
    while (!isComplete) {
      isComplete = true;
      for (Fault fault : faults) {
        int left = Objects.requireNonNull(missing.get(fault));
        if (left > 0) {
          plan.add(fault);
          missing.put(fault, left - 1);
          isComplete = false;
        }
      }
    }
    return plan;
  }

  private void run(List<Fault> plan) throws Exception {
    for (int i = 0; i < plan.size(); i++) {
      Fault fault = plan.get(i);
      int index = results.count(fault);
      long ofRun = Objects.hash(seed, fault.word(), index);
      Row row;
      try {
        row = run(fault, index, ofRun);
      } catch (Exception e) {
        results.add(Row.aborted(fault, index, ofRun, e));
        throw e;
      }
      results.add(row);
      System.out.printf(
          Locale.ROOT,
          "%d/%d %s #%d seed %d: %d acknowledged, %d lost, %d of %d replays accepted, %d doubled,"
              + " %d refused but stored, %d errors, %d revocations late (%d and %d ms),"
              + " outage %.1f s, longest request %.1f s%s%n",
          i + 1,
          plan.size(),
          fault.word(),
          row.index(),
          row.seed(),
          row.acknowledged(),
          row.lost(),
          row.accepted(),
          row.replays(),
          row.doubled(),
          row.contradicted(),
          row.errors(),
          row.late(),
          row.revoked(),
          row.revokedInFault(),
          row.outage() / 1000.0,
          row.longest() / 1000.0,
          row.detail().isEmpty() ? "" : " (" + row.detail() + ")");
    }
  }

  private Row run(Fault fault, int index, long ofRun) throws Exception {
    Random random = new Random(ofRun);
    int before = history.countAcknowledged();
    String name = Long.toHexString(System.currentTimeMillis()) + "-" + fault.word() + "-" + index;
    Traffic traffic = new Traffic(cluster, caller, history, name);
    String detail;
    long began;
    long ended;
    long revokedInFault;
    long revoked;
    try (traffic) {
      cluster.enable(first);
      cluster.enable(second);
      Revocation inFault = Revocation.begin(cluster, first, traffic);
      began = System.nanoTime();
      FutureTask<Boolean> disabling =
          new FutureTask<>(() -> disable(inFault, random.nextInt(3_000)), true);
      Thread.startVirtualThread(disabling);
      detail = fault.strike(cluster, traffic, new Random(ofRun + 1), index);
      cluster.awaitCalm();
      ended = System.nanoTime();
      disabling.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      Thread.sleep(APPLIES.multipliedBy(2));
      revokedInFault = inFault.end();
      Revocation calm = Revocation.begin(cluster, second, traffic);
      calm.disable();
      Thread.sleep(APPLIES.multipliedBy(2));
      revoked = calm.end();
      traffic.replaySample();
    }
    Verdict all = history.compare(stored());
    Verdict verdict = all.since(reported);
    reported = all;
    report(verdict, traffic);
    return new Row(
        fault,
        index,
        ofRun,
        history.countAcknowledged() - before,
        verdict.lost().size(),
        traffic.replays(),
        traffic.replaysAccepted().size(),
        traffic.races(),
        verdict.doubled().size(),
        verdict.contradicted().size(),
        traffic.errors(),
        2,
        (revoked > APPLIES.toMillis() ? 1 : 0)
            + (revokedInFault > Traffic.REGISTRY_LIMIT.plus(APPLIES).toMillis() ? 1 : 0),
        revoked,
        revokedInFault,
        history.longestOutage(began, ended),
        traffic.longestRequest(),
        detail);
  }

  private static void disable(Revocation revocation, int pause) {
    try {
      Thread.sleep(pause);
      revocation.disable();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void report(Verdict verdict, Traffic traffic) {
    verdict.lost().forEach(reference -> System.out.println("LOST " + reference));
    verdict.doubled().forEach(reference -> System.out.println("DOUBLED " + reference));
    verdict.contradicted().forEach(name -> System.out.println("REFUSED, BUT STORED " + name));
    traffic.replaysAccepted().forEach(replay -> System.out.println("REPLAY ACCEPTED " + replay));
  }

  /** Returns how often each payment is stored. */
  private Map<String, Integer> stored() throws SQLException, IOException {
    Map<String, Integer> stored = new HashMap<>();
    try (Connection connection = cluster.primary().connect("countersign");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT reference, count(*) FROM payments GROUP BY 1")) {
      while (rows.next()) {
        stored.put(rows.getString(1), rows.getInt(2));
      }
    }
    return stored;
  }
}
