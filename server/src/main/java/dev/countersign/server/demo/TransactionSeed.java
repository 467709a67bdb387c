package dev.countersign.server.demo;

import dev.countersign.server.store.BulkInsert;
import dev.countersign.server.store.Database;
import dev.countersign.server.tables.TableDialect;
import dev.countersign.server.tables.TableName;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Creates the demo's table of transactions, and fills it with transactions that are the same on
 * every machine. The table belongs to the demo: no migration creates it.
 */
public final class TransactionSeed {
  private static final String TABLE = "demo_transactions";

  // Customers with more transactions come first.
  private static final List<String> CUSTOMERS =
      List.of("cust-1001", "cust-1002", "cust-1003", "cust-1004");
  // The last transactions are of 2026-11-22, so that the documented filters find some.
  private static final Instant FIRST_BOOKED = Instant.parse("2026-07-20T08:00:00Z");
  private static final long MAX_CENTS = 500_000;

  private static final BulkInsert INSERT =
      new BulkInsert(
          "INSERT INTO "
              + TABLE
              + " (id, wallet_id, customer_id, amount, currency_code, status, booked_at)",
          7,
          "");

  private final Database database;

  public TransactionSeed(Database database) {
    this.database = database;
  }

  /**
   * Returns whether the database has the table. Commands have no option {@code --demo}; the table
   * tells them that a service on this database was started with it.
   */
  public static boolean isIn(Database database) {
    TableName name = TableName.parse(TABLE);
    return database.read(sql -> TableDialect.of(database).describe(sql, name).isPresent());
  }

  /** Creates the table, with an index for each sort of one customer's transactions. */
  public void createTable() {
    // SQLite knows no timestamptz. In PostgreSQL, a value for a timestamp without a time zone would
    // depend on the time zone of the session.
    String timestamp =
        database.dialect().databaseName().equals("PostgreSQL") ? "timestamptz" : "timestamp";
    database.write(
        sql -> {
          WalletSeed.lock(database, sql);
          sql.sql(
                  String.format(
                      Locale.ROOT,
                      """
                      CREATE TABLE IF NOT EXISTS %s (
                          id            uuid           NOT NULL PRIMARY KEY,
                          wallet_id     uuid           NOT NULL,
                          customer_id   text           NOT NULL,
                          amount        numeric(12, 2) NOT NULL,
                          currency_code text           NOT NULL,
                          status        text           NOT NULL,
                          booked_at     %s             NOT NULL
                      )
                      """,
                      TABLE,
                      timestamp))
              .update();
          createIndex(sql, "by_id", "customer_id, id");
          createIndex(sql, "by_amount", "customer_id, amount, id");
          createIndex(sql, "by_booked_at", "customer_id, booked_at, id");
          return null;
        });
  }

  private static void createIndex(JdbcClient sql, String name, String columns) {
    sql.sql(
            "CREATE INDEX IF NOT EXISTS "
                + TABLE
                + "_"
                + name
                + " ON "
                + TABLE
                + " ("
                + columns
                + ")")
        .update();
  }

  /**
   * Fills an empty table. Each transaction belongs to one of the wallets of the database, and each
   * wallet to one customer if there are at least as many wallets as customers.
   *
   * @param transactions the number of transactions to create
   * @return the number created, 0 if the table already has transactions or no wallet is suitable
   */
  public int fill(int transactions) {
    return database.write(
        sql -> {
          WalletSeed.lock(database, sql);
          List<Wallet> wallets = isEmpty(sql) ? wallets(sql) : List.of();
          if (wallets.isEmpty()) {
            return 0;
          }
          SplittableRandom random = new SplittableRandom(20260202);
          List<List<@Nullable Object>> rows = new ArrayList<>(transactions);
          for (int number = 0; number < transactions; number++) {
            rows.add(row(number, wallets, random));
          }
          INSERT.run(sql, rows);
          return transactions;
        });
  }

  private static boolean isEmpty(JdbcClient sql) {
    return sql.sql("SELECT 1 FROM " + TABLE + " LIMIT 1").query((row, n) -> 1).list().isEmpty();
  }

  private record Wallet(Object id, String currencyCode) {}

  // Amounts have two decimals, so only wallets whose currencies have two decimals are used.
  private List<Wallet> wallets(JdbcClient sql) {
    return sql.sql(
            """
            SELECT id, currency_code FROM wallets
            WHERE currency_code IN ('EUR', 'USD', 'GBP', 'CHF') ORDER BY id LIMIT 250
            """)
        .query((row, number) -> new Wallet(row.getObject(1), row.getString(2)))
        .list();
  }

  private List<@Nullable Object> row(int number, List<Wallet> wallets, SplittableRandom random) {
    // The smaller of two random numbers: the first customer is chosen most often.
    int customer = Math.min(random.nextInt(CUSTOMERS.size()), random.nextInt(CUSTOMERS.size()));
    int perCustomer = Math.max(1, wallets.size() / CUSTOMERS.size());
    Wallet wallet =
        wallets.get((customer + CUSTOMERS.size() * random.nextInt(perCustomer)) % wallets.size());
    UUID id = WalletSeed.uuid(random);
    BigDecimal amount = BigDecimal.valueOf(1 + random.nextLong(MAX_CENTS), 2);
    Instant booked =
        FIRST_BOOKED
            .plus(Duration.ofHours(number))
            .plusMillis(random.nextLong(Duration.ofHours(1).toMillis()));
    List<@Nullable Object> row = new ArrayList<>();
    row.add(database.dialect().bind(id));
    row.add(wallet.id());
    row.add(CUSTOMERS.get(customer));
    row.add(database.dialect().bind(amount));
    row.add(wallet.currencyCode());
    row.add(status(random));
    row.add(database.dialect().bind(booked));
    return row;
  }

  /** Chooses a status: most transactions are completed, some disputed, some reversed. */
  private static String status(SplittableRandom random) {
    int percent = random.nextInt(100);
    return percent < 92 ? "COMPLETED" : percent < 96 ? "DISPUTED" : "REVERSED";
  }
}
