package dev.countersign.server.demo;

import dev.countersign.server.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Creates example wallets, which are the same on every machine. */
public final class WalletSeed {
  private static final List<String> CURRENCIES = List.of("EUR", "USD", "GBP", "CHF", "JPY", "BTC");
  private static final List<String> OWNERS =
      List.of(
          "Aster", "Birch", "Cedar", "Dahlia", "Elm", "Fern", "Ginkgo", "Hazel", "Iris", "Juniper");
  private static final List<String> PURPOSES =
      List.of("Operations", "Payroll", "Reserve", "Settlement", "Treasury");
  private static final Instant FIRST_CREATED = Instant.parse("2026-01-05T08:00:00Z");

  // Any number that no other program locks in the same database.
  private static final long LOCK = 20260105;

  private final Database database;

  public WalletSeed(Database database) {
    this.database = database;
  }

  /**
   * Fills an empty table of wallets.
   *
   * @param wallets the number of wallets to create
   * @return the number created, 0 if the table already has wallets
   */
  public int fill(int wallets) {
    return database.write(
        sql -> {
          lock(database, sql);
          if (!isEmpty(sql)) {
            return 0;
          }
          SplittableRandom random = new SplittableRandom(20260105);
          for (int number = 0; number < wallets; number++) {
            insert(sql, number, random);
          }
          return wallets;
        });
  }

  /**
   * Lets only one node at a time create the demo's tables and records, until its transaction ends.
   * Otherwise nodes that start together would all find them missing, and all but one would fail. On
   * SQLite, each write is alone anyway.
   */
  static void lock(Database database, JdbcClient sql) {
    if (database.dialect().isShared()) {
      sql.sql("SELECT pg_advisory_xact_lock(" + LOCK + ")").query((row, number) -> 1).list();
    }
  }

  private static boolean isEmpty(JdbcClient sql) {
    return sql.sql("SELECT 1 FROM wallets LIMIT 1").query((row, number) -> 1).list().isEmpty();
  }

  private void insert(JdbcClient sql, int number, SplittableRandom random) {
    Instant created =
        FIRST_CREATED
            .plus(Duration.ofHours(number))
            .plusMillis(random.nextLong(Duration.ofHours(1).toMillis()));
    sql.sql(
            """
            INSERT INTO wallets (id, name, currency_code, status, created_at)
            VALUES (?, ?, ?, ?, ?)
            """)
        .param(database.dialect().bind(uuid(random)))
        .param(
            String.format(
                Locale.ROOT,
                "%s %s %03d",
                pick(OWNERS, random),
                pick(PURPOSES, random),
                number + 1))
        .param(CURRENCIES.get(number % CURRENCIES.size()))
        .param(status(random))
        .param(database.dialect().bind(created))
        .update();
  }

  /** Chooses a status: most wallets are active, some frozen, a few closed. */
  private static String status(SplittableRandom random) {
    int percent = random.nextInt(100);
    return percent < 85 ? "ACTIVE" : percent < 95 ? "FROZEN" : "CLOSED";
  }

  private static String pick(List<String> words, SplittableRandom random) {
    return words.get(random.nextInt(words.size()));
  }

  // RFC 9562 section 5.4: version 4, variant 10.
  static UUID uuid(SplittableRandom random) {
    long high = (random.nextLong() & ~0xF000L) | 0x4000L;
    long low = (random.nextLong() >>> 2) | Long.MIN_VALUE;
    return new UUID(high, low);
  }
}
