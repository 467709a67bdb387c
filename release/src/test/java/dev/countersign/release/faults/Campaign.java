package dev.countersign.release.faults;

import dev.countersign.release.faults.History.Verdict;
import dev.countersign.release.faults.Results.Column;
import dev.countersign.release.faults.Results.Row;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Makes a cluster fail while partners call it, and compares the responses that they received with
 * what is stored, in the manner of Jepsen: acknowledged writes must be there, and nothing may be
 * there twice.
 */
public final class Campaign {
  private static final int BROKEN = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** The time after which a change to a client applies on every node that reaches the database. */
  private static final Duration APPLIES = Duration.ofSeconds(1);

  private final Cluster cluster;
  private final Results results;
  private final long seed;
  private final History history = new History();
  private final Caller caller;
  private final Caller revokedInFault;
  private final Caller revokedAfterwards;
  private Verdict reported = new Verdict(Set.of(), Set.of(), Set.of());

  private Campaign(Cluster cluster, Results results, long seed) throws Exception {
    this.cluster = cluster;
    this.results = results;
    this.seed = seed;
    this.caller = cluster.register();
    this.revokedInFault = cluster.register();
    this.revokedAfterwards = cluster.register();
  }

  /** One run of the plan. */
  private record Planned(Fault fault, int index) {}

  /**
   * Runs the faults that are missing in the results. The exit code is 0 if every promise was kept,
   * {@link #BROKEN} if one was broken, and 2 if a run could not be completed.
   *
   * @param args an empty folder, the release, the root of the source tree, the file of the results,
   *     a checksum of what is tried and how, the seed, the number of runs of each fault, or {@code
   *     all} or {@code quick}, the index of the only run of each fault, or -1, and the faults, all
   *     if there is none
   */
  public static void main(String[] args) {
    int code = 2;
    try {
      code = run(args);
    } catch (Throwable e) {
      e.printStackTrace();
    }
    System.exit(code);
  }

  private static int run(String[] args) throws Exception {
    Results results = Results.open(Path.of(args[3]), args[4]);
    List<Planned> plan =
        plan(
            args[6],
            Integer.parseInt(args[7]),
            Arrays.stream(args).skip(8).map(Fault::of).toList(),
            results);
    boolean isComplete = false;
    try {
      if (!plan.isEmpty()) {
        System.out.println(plan.size() + " runs; setting up the cluster as in docs/operating.md");
        try (Cluster cluster =
            Cluster.start(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]))) {
          new Campaign(cluster, results, Long.parseLong(args[5])).run(plan);
        }
      }
      isComplete = true;
    } finally {
      System.out.println();
      System.out.print(results.table());
      if (!isComplete && results.hasBroken()) {
        System.out.println("a promise was broken before the campaign was aborted");
      }
    }
    return results.hasBroken() ? BROKEN : 0;
  }

  /** Returns the runs that are missing, with the faults in turn. */
  private static List<Planned> plan(
      String repeat, int onlyIndex, List<Fault> only, Results results) {
    List<Fault> faults = only.isEmpty() ? List.of(Fault.values()) : only;
    List<Planned> plan = new ArrayList<>();
    if (onlyIndex >= 0) {
      faults.forEach(fault -> plan.add(new Planned(fault, onlyIndex)));
      return plan;
    }
    for (Fault fault : faults) {
      int wanted =
          switch (repeat) {
            case "all" -> fault.repetitions();
            case "quick" -> fault.quickRepetitions();
            default -> Integer.parseInt(repeat);
          };
      for (int index = results.count(fault); index < wanted; index++) {
        plan.add(new Planned(fault, index));
      }
    }
    plan.sort(Comparator.comparingInt(Planned::index));
    return plan;
  }

  private void run(List<Planned> plan) throws Exception {
    for (int i = 0; i < plan.size(); i++) {
      Fault fault = plan.get(i).fault;
      int index = plan.get(i).index;
      Map<Column, Long> values = new EnumMap<>(Column.class);
      Row row;
      try {
        String detail = run(fault, index, values);
        row = new Row(fault, index, seed, values, detail);
        if (!row.unmeasured().isEmpty()) {
          throw new IllegalStateException("nothing was measured: " + row.unmeasured());
        }
      } catch (Exception | AssertionError e) {
        compareAfterAbort(values);
        results.add(Row.aborted(fault, index, seed, values, e));
        throw e;
      }
      results.add(row);
      System.out.println((i + 1) + "/" + plan.size() + " " + row);
    }
  }

  /** Makes one run, and notes what it measures. */
  private String run(Fault fault, int index, Map<Column, Long> values) throws Exception {
    long seedOfRun = Objects.hash(seed, fault.option(), index);
    Random random = new Random(seedOfRun);
    int before = history.countAcknowledged();
    String name = Long.toHexString(System.currentTimeMillis()) + "-" + fault.option() + "-" + index;
    Traffic traffic = new Traffic(cluster, caller, history, name);
    String detail;
    try (traffic) {
      cluster.enable(revokedInFault);
      cluster.enable(revokedAfterwards);
      try (Revocation inFault = Revocation.begin(cluster, revokedInFault, traffic)) {
        long began = System.nanoTime();
        FutureTask<Boolean> disabling =
            new FutureTask<>(() -> disable(inFault, random.nextInt(3_000)), true);
        Thread.startVirtualThread(disabling);
        detail = fault.strike(cluster, traffic, new Random(seedOfRun + 1), index);
        cluster.awaitCalm();
        values.put(Column.OUTAGE, history.longestOutage(began, System.nanoTime()));
        disabling.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        Thread.sleep(APPLIES.multipliedBy(2));
        values.put(Column.SERVED_IN_FAULT, inFault.end());
      }
      try (Revocation afterwards = Revocation.begin(cluster, revokedAfterwards, traffic)) {
        afterwards.disable();
        Thread.sleep(APPLIES.multipliedBy(2));
        values.put(Column.SERVED_AFTERWARDS, afterwards.end());
      }
      values.put(Column.REVOCATIONS, 2L);
      values.put(
          Column.SERVED_TOO_LONG,
          exceeds(values, Column.SERVED_AFTERWARDS, APPLIES)
              + exceeds(
                  values,
                  Column.SERVED_IN_FAULT,
                  fault.cutsNodesOff() ? Cluster.REGISTRY_LIMIT.plus(APPLIES) : APPLIES));
      traffic.replaySample();
    }
    values.put(Column.ACKNOWLEDGED, (long) history.countAcknowledged() - before);
    traffic.addTo(values);
    compare(values);
    return detail;
  }

  private static long exceeds(Map<Column, Long> values, Column column, Duration limit) {
    return Objects.requireNonNull(values.get(column)) > limit.toMillis() ? 1 : 0;
  }

  /** Compares all answers with what is stored, and notes what no earlier run had. */
  private void compare(Map<Column, Long> values) throws SQLException {
    Verdict all = history.compare(stored());
    Verdict verdict = all.since(reported);
    reported = all;
    print("LOST", verdict.lost());
    print("STORED TWICE", verdict.doubled());
    print("REFUSED, BUT STORED", verdict.contradicted());
    values.put(Column.LOST, (long) verdict.lost().size());
    values.put(Column.DOUBLED, (long) verdict.doubled().size());
    values.put(Column.CONTRADICTED, (long) verdict.contradicted().size());
  }

  private void compareAfterAbort(Map<Column, Long> values) {
    try {
      compare(values);
    } catch (SQLException unreachable) {
      System.out.println("the payments of this run could not be compared: " + unreachable);
    }
  }

  private static void print(String what, Set<String> references) {
    references.forEach(reference -> System.out.println(what + " " + reference));
  }

  private static void disable(Revocation revocation, int pause) {
    try {
      Thread.sleep(pause);
      revocation.disable();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns how often each payment is stored. */
  private Map<String, Integer> stored() throws SQLException {
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
