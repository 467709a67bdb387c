package dev.countersign.server.once;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.purge.Purge;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/**
 * Fills a store with expired answers to requests with an Idempotency-Key, and deletes them as a
 * service does, in runs of at most 20 s. Meanwhile another thread writes. Prints how long these
 * writes take, and how long the same writes take without a purge.
 */
public final class PurgeBacklog {
  private static final int BATCH = 50_000;
  private static final int WRITES = 500;
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Database database;

  private PurgeBacklog(Database database) {
    this.database = database;
  }

  /**
   * Fills the store, deletes the answers, and prints the times.
   *
   * @param args a data directory and the number of rows; for PostgreSQL a JDBC URL and a user too
   */
  public static void main(String[] args) throws InterruptedException {
    StoreSettings settings =
        args.length < 4
            ? StoreSettings.embedded(Path.of(args[0]))
            : new StoreSettings(Path.of(args[0]), args[2], args[3], null, StoreSettings.SCHEMA);
    try (Database database = Database.open(settings)) {
      PurgeBacklog backlog = new PurgeBacklog(database);
      backlog.fill(Integer.parseInt(args[1]));
      System.out.println(describe("without a purge", backlog.writes(new AtomicBoolean())));
      backlog.purge();
    }
  }

  private void fill(int rows) {
    for (int from = 0; from < rows; from += BATCH) {
      int first = from;
      int last = Math.min(rows, from + BATCH);
      database.write(
          sql ->
              sql.sql(
                      "INSERT INTO idempotent_answers (client_id, idempotency_key, request_digest,"
                          + " status, headers, body, scope_digest, kept_until, created, attempt)"
                          + " WITH RECURSIVE n (i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n"
                          + " WHERE i < :last)"
                          + " SELECT 'cl-' || (i % 97), 'key-' || i, 'd', 201, '{}', :body, '',"
                          + " 1000000000 + i / 100, 1000000000 + i / 100, 'a' FROM n")
                  .param("first", first + 1)
                  .param("last", last)
                  .param("body", "{\"name\":\"a wallet\"}".repeat(20))
                  .update());
    }
  }

  private void purge() throws InterruptedException {
    Purge purge =
        new Purge(database, Purge.Lease.withRandomNode("claims"), () -> true, Clock.systemUTC());
    ReplayPurge replay = new ReplayPurge(database, purge, Clock.systemUTC());
    AtomicBoolean purgeCompleted = new AtomicBoolean();
    Thread deletes =
        Thread.ofPlatform()
            .start(
                () -> {
                  long deleted;
                  do {
                    long began = System.nanoTime();
                    deleted = replay.run(() -> false);
                    System.out.printf(
                        Locale.ROOT,
                        "a run of %.1f s deleted %d rows%n",
                        (System.nanoTime() - began) / 1e9,
                        deleted);
                  } while (deleted > 0);
                  purgeCompleted.set(true);
                });
    System.out.println(describe("beside a purge", writes(purgeCompleted)));
    deletes.join(Duration.ofHours(1));
  }

  /**
   * Writes until the purge is completed, at most {@value #WRITES} times. Returns the nanoseconds of
   * each write, sorted.
   */
  private long[] writes(AtomicBoolean purgeCompleted) throws InterruptedException {
    LongStream.Builder nanos = LongStream.builder();
    for (int i = 0; i < WRITES && !purgeCompleted.get(); i++) {
      long began = System.nanoTime();
      database.write(sql -> sql.sql("UPDATE client_revision SET value = value + 1").update());
      nanos.add(System.nanoTime() - began);
      Thread.sleep(PAUSE);
    }
    return nanos.build().sorted().toArray();
  }

  /** Describes the times of writes; there are none if a purge completes before the first write. */
  static String describe(String when, long[] sorted) {
    int writes = sorted.length;
    return writes == 0
        ? "0 writes " + when
        : String.format(
            Locale.ROOT,
            "%d writes %s: median %.1f ms, 99%% within %.1f ms, longest %.1f ms",
            writes,
            when,
            sorted[writes / 2] / 1e6,
            sorted[writes * 99 / 100] / 1e6,
            sorted[writes - 1] / 1e6);
  }
}
