package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.RequestObserver;
import dev.countersign.server.requests.statistics.OverviewReader;
import dev.countersign.server.requests.statistics.Statistics;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.FailureLog;
import dev.countersign.server.store.PeriodicTask;
import dev.countersign.server.store.purge.Purge;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** The records, statistics and key uses of requests, and the threads that write them. */
public final class RequestHistory implements AutoCloseable {
  private static final Duration RECORDS_WRITTEN_EVERY = Duration.ofMillis(250);
  private static final Duration STATISTICS_WRITTEN_EVERY = Duration.ofSeconds(10);
  private static final Duration USES_WRITTEN_EVERY = Duration.ofSeconds(15);
  // The maximum number of queued requests. They take about 4 MB, or at most 50 MB if every request
  // has the longest texts.
  private static final int MAX_QUEUED = 6_000;

  private final Database database;
  private final RequestProperties.Log log;
  private final RationedQueues queues;
  private final RecordWriter writer;
  private final Statistics statistics;
  private final KeyUses keyUses;
  private final Retention retention;
  private final Clock clock;
  private final PeriodicTask records;
  private final PeriodicTask uses;
  private Instant nextStatistics;

  private RequestHistory(
      Database main, RequestProperties properties, BooleanSupplier isFit, Clock clock) {
    this.database = main.openBeside("requests");
    this.clock = clock;
    this.log = properties.log();
    this.queues = new RationedQueues(MAX_QUEUED, properties.maximumRate(), System::nanoTime);
    this.writer = new RecordWriter(queues, database, new RecordIds(new SecureRandom()));
    this.statistics = new Statistics(database, clock);
    this.retention =
        new Retention(
            database,
            properties,
            new Purge(database, Purge.Lease.withRandomNode("requests"), isFit, clock),
            clock,
            System::nanoTime);
    this.keyUses = new KeyUses(main, clock);
    this.nextStatistics = clock.instant();
    this.records = PeriodicTask.start("request-records", RECORDS_WRITTEN_EVERY, this::round);
    // Runs on its own thread, because writes to the main database may block.
    this.uses = PeriodicTask.start("key-uses", USES_WRITTEN_EVERY, keyUses::flush);
  }

  /**
   * Opens the history beside the main database and starts writing.
   *
   * @param isFit whether this node may serve requests, and so may delete old ones
   * @throws dev.countersign.server.store.StoreException if the history cannot be opened
   */
  public static RequestHistory open(
      Database main, RequestProperties properties, BooleanSupplier isFit, Clock clock) {
    return new RequestHistory(main, properties, isFit, clock);
  }

  private void round() {
    int written = writer.flush();
    Instant now = clock.instant();
    if (!now.isBefore(nextStatistics)) {
      nextStatistics = now.plus(STATISTICS_WRITTEN_EVERY);
      statistics.flush();
      database.watchLog();
    }
    retention.step(written);
  }

  /** Returns the observer to notify of each request. */
  public RequestObserver observer() {
    return this::record;
  }

  private void record(CompletedRequest request) {
    statistics.count(request);
    keyUses.note(request);
    if (log.takes(request)) {
      queues.offer(request);
    }
  }

  /**
   * Calls {@code sender} for each sender of recent verified requests, on this node or another one.
   * If the store fails, calls it for none and logs why.
   *
   * @param within how far back to look
   * @param limit the maximum number of senders, those with the newest requests first
   * @param sender receives the clientId and the address of each sender once
   */
  public void forEachSender(Duration within, int limit, BiConsumer<String, String> sender) {
    Instant since = clock.instant().minus(within);
    new FailureLog("callers of the last minutes are not known")
        .attempt(
            () ->
                database
                    .read(sql -> new RecordRows(sql).verifiedSenders(since, limit))
                    .forEach(each -> sender.accept(each.clientId(), each.address())));
  }

  public RequestRecordStore records() {
    return new RequestRecordStore(database, writer);
  }

  public OverviewReader overviews() {
    return new OverviewReader(database, clock);
  }

  /** Writes the queued requests and closes the history. */
  @Override
  public void close() {
    uses.close();
    records.close();
    statistics.flush();
    database.close();
  }
}
