package dev.countersign.server.requests;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.CompletedRequest.Evidence;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.requests.RequestFilter.Outcome;
import dev.countersign.server.requests.statistics.OverviewReader;
import dev.countersign.server.requests.statistics.Period;
import dev.countersign.server.requests.statistics.Statistics;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.purge.Purge;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Fills a store with requests of one week by ten thousand clients, then times the portal's queries.
 * Prints the median and the maximum of thirty runs, in milliseconds.
 */
public final class FilledHistory {
  private static final int CLIENTS = 10_000;
  private static final int BATCH = 1_000;
  private static final int RUNS = 30;
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Reason[] REASONS = {
    Reason.SIGNATURE_MISMATCH, Reason.CREATED_TOO_OLD, Reason.ROLE_MISSING, Reason.PARAMETER_INVALID
  };

  private final Database main;
  private final Database database;
  private final Clock clock = Clock.systemUTC();
  private final Random random = new Random(3);
  private final RecordIds ids = new RecordIds(new Random());

  private FilledHistory(Database main) {
    this.main = main;
    this.database = main.openBeside("requests");
  }

  /**
   * Fills the store and prints the times.
   *
   * @param args a data directory and the number of rows; for PostgreSQL a JDBC URL and a user too
   */
  public static void main(String[] args) {
    StoreSettings settings =
        args.length < 4
            ? StoreSettings.embedded(Path.of(args[0]))
            : new StoreSettings(Path.of(args[0]), args[2], args[3], null, StoreSettings.SCHEMA);
    try (Database main = Database.open(settings)) {
      FilledHistory history = new FilledHistory(main);
      history.fill(Integer.parseInt(args[1]));
      history.time();
      history.database.close();
    }
  }

  private void fill(int rows) {
    Instant start = clock.instant().minus(WEEK);
    Statistics statistics = new Statistics(database, clock);
    KeyUses uses = new KeyUses(main, clock);
    long began = System.nanoTime();
    long step = WEEK.toMillis() / Math.max(1, rows);
    for (int from = 0; from < rows; from += BATCH) {
      List<CompletedRequest> batch = new ArrayList<>();
      for (int i = from; i < Math.min(rows, from + BATCH); i++) {
        CompletedRequest request = request(start.plusMillis(i * step));
        batch.add(request);
        statistics.count(request);
        uses.note(request);
      }
      database.write(
          sql -> {
            new RecordRows(sql).insert(batch, ids);
            return batch;
          });
      if (from % (10 * BATCH) == 0) {
        statistics.flush();
      }
    }
    statistics.flush();
    uses.flush();
    System.out.printf(
        Locale.ROOT,
        "%d rows written in %d s%n",
        rows,
        (System.nanoTime() - began) / 1_000_000_000);
  }

  /** Of a hundred requests, ten are refused, two of them from anonymous callers. */
  private CompletedRequest request(Instant time) {
    int kind = random.nextInt(100);
    TrustLevel trust =
        kind < 2 ? TrustLevel.ANONYMOUS : kind < 5 ? TrustLevel.CLAIMED : TrustLevel.VERIFIED;
    @Nullable Reason reason = reason(kind, trust);
    // Most requests come from a few clients.
    String clientId =
        String.format(Locale.ROOT, "cl-%016d", (int) (CLIENTS * Math.pow(random.nextDouble(), 4)));
    return new CompletedRequest(
        Long.toHexString(random.nextLong()),
        time,
        Duration.ofNanos((long) (300_000 * Math.exp(random.nextGaussian()))),
        "GET",
        "/ledger/v1/wallets" + (kind % 3 == 0 ? "/" + random.nextInt(100_000) : "?page=" + kind),
        reason == null ? 200 : reason.status(),
        reason,
        reason == null ? null : "the value, the rule and the fix, as in a problem document",
        new CheckProgress(reason == null ? Check.REPLAY : Check.DIGEST, null),
        trust == TrustLevel.ANONYMOUS ? null : clientId,
        trust == TrustLevel.VERIFIED ? "SHA256:" + "0123456789abcdefghij".repeat(2) : null,
        trust,
        "203.0.113." + random.nextInt(256),
        "Partner/1.0",
        reason == Reason.SIGNATURE_MISMATCH
            ? new Evidence(null, null, "\"@method\": GET\n".repeat(20))
            : Evidence.NONE);
  }

  private static @Nullable Reason reason(int kind, TrustLevel trust) {
    return switch (trust) {
      case ANONYMOUS -> Reason.SIGNATURE_MISSING;
      case CLAIMED -> REASONS[kind % 2];
      case VERIFIED -> kind < 10 ? REASONS[2 + kind % 2] : null;
    };
  }

  private void time() {
    RequestRecordStore records =
        new RequestRecordStore(
            database,
            new RecordWriter(new RationedQueues(10, 10, System::nanoTime), database, ids));
    String busy = String.format(Locale.ROOT, "cl-%016d", 0);
    Instant middle = clock.instant().minus(WEEK.dividedBy(2));
    Map<String, RequestFilter> filters = new LinkedHashMap<>();
    filters.put("all", RequestFilter.ALL);
    filters.put("a busy client", RequestFilter.ALL.withClientId(busy));
    filters.put("no client", RequestFilter.ALL.withClientId("cl-nobody"));
    filters.put("refused", RequestFilter.ALL.withOutcome(Outcome.REFUSED));
    filters.put("a reason", RequestFilter.ALL.withReason(Reason.SIGNATURE_MISMATCH));
    filters.put("a reason that never was", RequestFilter.ALL.withReason(Reason.REPLAYED));
    filters.put("a status", RequestFilter.ALL.withStatus(401));
    filters.put("a path", RequestFilter.ALL.withPathPrefix("/ledger/v1/wallets/777"));
    filters.put("the path of all", RequestFilter.ALL.withPathPrefix("/ledger"));
    filters.put("no path", RequestFilter.ALL.withPathPrefix("/nowhere"));
    filters.put("half a week ago", RequestFilter.ALL.between(null, middle));
    filters.put(
        "a minute, half a week ago", RequestFilter.ALL.between(middle, middle.plusSeconds(60)));
    filters.put(
        "all of it, nothing fits",
        RequestFilter.ALL
            .withClientId(busy)
            .withStatus(200)
            .withReason(Reason.ROLE_MISSING)
            .withPathPrefix("/ledger"));
    filters.put(
        "200 and a path, nothing fits",
        RequestFilter.ALL.withStatus(200).withOutcome(Outcome.REFUSED).withPathPrefix("/ledger"));
    filters.put(
        "accepted, anonymous",
        RequestFilter.ALL.withTrust(TrustLevel.ANONYMOUS).withOutcome(Outcome.ACCEPTED));
    filters.forEach(
        (name, filter) -> {
          RecordSearchResult page = records.search(filter, null, 50);
          print(
              "page: " + name,
              () -> records.search(filter, null, 50),
              page.requests().size() + (page.searchedBackTo() == null ? "" : ", to be continued"));
        });
    RequestFilter latest = RequestFilter.ALL.between(clock.instant().minusSeconds(30), null);
    print("live view: the last 30 s", () -> records.search(latest, null, 200), "");
    RequestFilter hour = RequestFilter.ALL.between(clock.instant().minusSeconds(3_600), null);
    print("live view: skipped in an hour", () -> records.count(hour, 0, Long.MAX_VALUE), "");
    long id = records.latest();
    print("one request", () -> records.find(id), "");
    OverviewReader overviewReader = new OverviewReader(database, clock);
    for (Period period : Period.values()) {
      print("overview: " + period, () -> overviewReader.of(period), "");
    }
    Retention retention =
        new Retention(
            database,
            new RequestProperties(RequestProperties.Log.ALL, Duration.ofDays(30), 1_000_000, 1_000),
            new Purge(database, Purge.Lease.withRandomNode("requests"), () -> true, clock),
            clock,
            System::nanoTime);
    print("retention, nothing to do", () -> retention.step(0), "");
  }

  private static void print(String what, Runnable work, String note) {
    long[] nanos = new long[RUNS];
    for (int i = 0; i < RUNS; i++) {
      long began = System.nanoTime();
      work.run();
      nanos[i] = System.nanoTime() - began;
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%-32s %8.1f %8.1f  %s%n",
        what,
        nanos[RUNS / 2] / 1e6,
        nanos[RUNS - 1] / 1e6,
        note);
  }
}
