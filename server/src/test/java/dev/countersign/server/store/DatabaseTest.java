package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.store.Dialect.Violation;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableDialect;
import dev.countersign.server.tables.TableName;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

class DatabaseTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void write_returning_commits(TestStore store) {
    try (Database database = withNumbers(store)) {
      assertThat(database.<Integer>write(sql -> add(sql, 1))).isEqualTo(1);
      assertThat(numbers(database)).containsExactly(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void write_throwing_rollsBackAndLeavesTheConnectionUsable(TestStore store) {
    try (Database database = withNumbers(store)) {
      for (int round = 0; round < 3; round++) {
        assertThatThrownBy(
                () ->
                    database.write(
                        sql -> {
                          add(sql, 1);
                          throw new AssertionError("boom");
                        }))
            .hasMessage("boom");
      }
      database.write(sql -> add(sql, 2));
      assertThat(numbers(database)).containsExactly(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void read_overTheLimit_isEndedAndTheNextOneIsNot(TestStore store) {
    String slow =
        store == TestStore.SQLITE
            ? "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
            : "SELECT pg_sleep(60)";
    Duration limit = Duration.ofSeconds(3);
    try (Database database = store.open(directory, limit)) {
      for (int round = 0; round < 2; round++) {
        assertThatThrownBy(
                () -> database.read(sql -> sql.sql(slow).query((row, n) -> "slow").list()))
            .isInstanceOf(StoreUnavailableException.class)
            // Of the statement or of the transaction, whichever ends first.
            .hasMessageMatching(".* (is too slow|did not answer within 3 s)");
        assertThat(seven(database, limit)).isEqualTo(7);
      }
    }
  }

  /** Reads a number. A machine that is too slow for this may try again. */
  private static int seven(Database database, Duration limit) {
    while (true) {
      long begin = System.nanoTime();
      try {
        return database.read(sql -> sql.sql("SELECT 7").query(Integer.class).single());
      } catch (StoreUnavailableException ended) {
        // PostgreSQL counts in whole seconds.
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
            .as("the time of a read that was ended: %s", ended)
            .isGreaterThan(limit.minusSeconds(1));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void write_brokenConstraint_isAViolationAndRollsBack(TestStore store) {
    try (Database database = withNumbers(store)) {
      database.write(sql -> add(sql, 7));
      assertThatThrownBy(
              () ->
                  database.write(
                      sql -> {
                        add(sql, 8);
                        return add(sql, 7);
                      }))
          .isInstanceOf(DataAccessException.class)
          .satisfies(e -> assertThat(database.dialect().isUniqueViolation(e)).isTrue());
      assertThat(numbers(database)).containsExactly(7);
    }
  }

  @Test
  void write_failureSwallowedOnPostgresql_isNotTakenForACommit() {
    try (Database database = withNumbers(TestStore.POSTGRESQL)) {
      database.write(sql -> add(sql, 7));
      assertThatThrownBy(
              () ->
                  database.write(
                      sql -> {
                        add(sql, 8);
                        assertThatThrownBy(() -> add(sql, 7)).isNotNull();
                        return "done";
                      }))
          .isInstanceOf(DataAccessException.class);
      assertThat(numbers(database)).containsExactly(7);
    }
  }

  @ParameterizedTest
  @EnumSource
  void write_brokenRules_areToldApart(TestStore store) {
    try (Database database = withNumbers(store)) {
      assertThat(violation(database, "INSERT INTO numbers (n, label) VALUES (1, 'too long')"))
          .isEqualTo(Violation.CHECK);
      assertThat(violation(database, "INSERT INTO numbers (n, label) VALUES (1, NULL)"))
          .isEqualTo(Violation.NOT_NULL);
      assertThat(violation(database, "INSERT INTO numbers (n, label, parent) VALUES (1, '', 9)"))
          .isEqualTo(Violation.FOREIGN_KEY);
    }
  }

  @Test
  void write_wrongTypeInAStrictTable_isAViolationOfTheValue() {
    try (Database database = TestStore.SQLITE.open(directory)) {
      database.write(sql -> sql.sql("CREATE TABLE typed (n INTEGER) STRICT").update());
      assertThat(violation(database, "INSERT INTO typed (n) VALUES ('one')"))
          .isEqualTo(Violation.VALUE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void read_writing_isRefused(TestStore store) {
    try (Database database = withNumbers(store)) {
      assertThatThrownBy(() -> database.read(sql -> add(sql, 1)))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageEndingWith("is read-only");
      assertThat(numbers(database)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void read_whileOthersWrite_seesOneSnapshot(TestStore store) throws Exception {
    try (Database database = withNumbers(store);
        TestThreads other = TestThreads.of(Executors.newVirtualThreadPerTaskExecutor())) {
      List<Integer> seen =
          database.read(
              sql -> {
                int before = count(sql);
                await(other.submit(() -> database.write(inner -> add(inner, 1))));
                return List.of(before, count(sql));
              });
      assertThat(seen).containsExactly(0, 0);
      assertThat(numbers(database)).containsExactly(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void transactions_nested_areRefused(TestStore store) {
    try (Database database = withNumbers(store)) {
      assertThatThrownBy(() -> database.write(sql -> database.write(inner -> add(inner, 1))))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("cannot be nested");
      assertThatThrownBy(() -> database.write(sql -> database.read(DatabaseTest::count)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void jdbcClient_outsideItsTransaction_isRefused(TestStore store) {
    try (Database database = withNumbers(store)) {
      JdbcClient leaked = database.read(sql -> sql);
      assertThatThrownBy(() -> count(leaked)).isInstanceOf(DataAccessException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void write_manyAtOnce_loseNothing(TestStore store) throws Exception {
    int writers = 64;
    try (Database database = withNumbers(store);
        TestThreads executor = TestThreads.of(Executors.newVirtualThreadPerTaskExecutor())) {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        int number = i;
        all.add(
            executor.submit(
                () -> {
                  Waits.forLatch(start);
                  return addOnceAdmitted(database, number);
                }));
      }
      start.countDown();
      for (Future<?> one : all) {
        Waits.forResult(one);
      }
      assertThat(numbers(database)).hasSize(writers);
    }
  }

  @ParameterizedTest
  @EnumSource
  void dialect_values_comeBackAsTheyWentIn(TestStore store) {
    UUID uuid = UUID.fromString("1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f");
    Instant instant = Instant.parse("2026-11-20T18:35:30.120Z");
    try (Database database = store.open(directory)) {
      Dialect dialect = database.dialect();
      database.write(
          sql ->
              sql.sql("INSERT INTO wallets VALUES (?, 'n', 'EUR', 'ACTIVE', ?)")
                  .param(dialect.bind(uuid))
                  .param(dialect.bind(instant))
                  .update());
      Table.Column createdAt =
          database
              .read(sql -> TableDialect.of(database).describe(sql, TableName.parse("wallets")))
              .flatMap(table -> table.column("created_at"))
              .orElseThrow();
      List<Object> row =
          database.read(
              sql ->
                  sql.sql("SELECT id, created_at FROM wallets")
                      .query(
                          (result, number) ->
                              List.<Object>of(
                                  dialect.uuid(result, "id"),
                                  dialect.instant(result, "created_at"),
                                  TableDialect.of(database).timestampText(result, 2, createdAt)))
                      .single());
      assertThat(row).containsExactly(uuid, instant, "2026-11-20T18:35:30.120Z");
    }
  }

  @ParameterizedTest
  @EnumSource
  void open_again_findsTheData(TestStore store) {
    try (Database database = withNumbers(store)) {
      database.write(sql -> add(sql, 5));
    }
    try (Database database = store.open(directory)) {
      assertThat(numbers(database)).containsExactly(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void open_manyAtOnce_migrateOnce(TestStore store) throws Exception {
    try (TestThreads executor = TestThreads.of(4)) {
      List<Future<Integer>> all = new ArrayList<>();
      StoreSettings settings = store.settings(directory);
      for (int i = 0; i < 4; i++) {
        all.add(
            executor.submit(
                () -> {
                  try (Database database = Database.open(settings)) {
                    return database.read(
                        sql ->
                            sql.sql("SELECT count(*) FROM wallets").query(Integer.class).single());
                  }
                }));
      }
      for (Future<Integer> one : all) {
        assertThat(Waits.forResult(one)).isZero();
      }
    }
  }

  private Database withNumbers(TestStore store) {
    Database database = store.open(directory);
    database.write(
        sql ->
            sql.sql(
                    """
                    CREATE TABLE numbers (
                      n INTEGER NOT NULL PRIMARY KEY,
                      label VARCHAR(100) NOT NULL DEFAULT '' CHECK (length(label) < 5),
                      parent INTEGER REFERENCES numbers (n))
                    """)
                .update());
    return database;
  }

  private static int add(JdbcClient sql, int number) {
    return sql.sql("INSERT INTO numbers (n) VALUES (?)").param(number).update();
  }

  /** Adds a number. Many writers may wait too long for a connection; those have added nothing. */
  private static int addOnceAdmitted(Database database, int number) {
    while (true) {
      try {
        return database.write(sql -> add(sql, number));
      } catch (StoreUnavailableException refused) {
        assertThat(refused).isNotInstanceOf(StoreUnavailableException.CommitUnknown.class);
      }
    }
  }

  private static Violation violation(Database database, String insert) {
    try {
      database.write(sql -> sql.sql(insert).update());
      throw new AssertionError("not refused: " + insert);
    } catch (DataAccessException e) {
      return database.dialect().violation(e).orElseThrow();
    }
  }

  private static int count(JdbcClient sql) {
    return sql.sql("SELECT count(*) FROM numbers").query(Integer.class).single();
  }

  private static List<Integer> numbers(Database database) {
    return database.read(
        sql -> sql.sql("SELECT n FROM numbers ORDER BY n").query(Integer.class).list());
  }

  private static void await(Future<?> future) {
    try {
      Waits.forResult(future);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
