package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.countersign.server.LogCapture;
import dev.countersign.testing.TcpProxy;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Transactions while PostgreSQL, or the network in front of it, fails. */
class DatabaseFaultsTest {
  /** A limit that the tests let run out. */
  private static final Duration SHORT = Duration.ofSeconds(3);

  /** A limit that nothing reaches. */
  private static final Duration AMPLE = Waits.LIMIT.multipliedBy(2);

  private static final String LOCK = "LOCK TABLE countersign.counters IN SHARE MODE";

  /** Waits until the sessions have ended. */
  private static final String END_OTHER_SESSIONS =
      "SELECT pg_terminate_backend(pid, "
          + Waits.LIMIT.toMillis()
          + ") FROM pg_stat_activity"
          + " WHERE datname = current_database() AND pid <> pg_backend_pid()";

  @TempDir Path directory;
  private TcpProxy proxy;
  private Database database;

  @BeforeEach
  void open() throws SQLException {
    proxy = TcpProxy.to(server().getPort());
    database = open(AMPLE);
    TestStore.POSTGRESQL.run(
        directory,
        "CREATE TABLE countersign.counters (id INTEGER NOT NULL PRIMARY KEY, n INTEGER NOT NULL)",
        "INSERT INTO countersign.counters VALUES (1, 0), (2, 0)");
  }

  private Database open(Duration limit) {
    return Database.open(
        new StoreSettings(
            directory,
            "jdbc:postgresql://127.0.0.1:" + proxy.port() + server().getPath(),
            "postgres",
            null,
            StoreSettings.SCHEMA),
        limit);
  }

  private URI server() {
    return URI.create(database().substring("jdbc:".length()));
  }

  @AfterEach
  void close() {
    proxy.resume();
    database.close();
    proxy.close();
  }

  @Test
  void silenceOfTheConnections_inUse_endsByTheLimitAndHeals() throws Exception {
    setLevelsOfTheService();
    try (Database hasty = open(SHORT);
        LogCapture pools = LogCapture.of("com.zaxxer");
        TestThreads threads = virtualThreads()) {
      // Each use of the last one is another request.
      List<Supplier<Database>> views =
          List.of(() -> hasty, hasty::control, () -> hasty.forClient("a", new RequestTime()));
      for (Supplier<Database> view : views) {
        assertThat(sum(view.get())).isZero();
      }
      proxy.silenceExisting();
      List<Future<?>> ends = new ArrayList<>();
      for (Supplier<Database> view : views) {
        ends.add(threads.submit(() -> endedByTheLimit(() -> sum(view.get()))));
        ends.add(threads.submit(() -> endedByTheLimit(() -> add(view.get(), 1))));
      }
      for (Future<?> end : ends) {
        Waits.forResult(end);
      }
      for (Supplier<Database> view : views) {
        Awaitility.await().ignoreExceptions().until(() -> add(view.get(), 2) == 1);
      }
      assertSilent(pools);
    }
  }

  /** The pool may remark that the machine stood still. */
  private static void assertSilent(LogCapture pools) {
    assertThat(pools.lines())
        .filteredOn(line -> !line.contains("Thread starvation or clock leap"))
        .isEmpty();
  }

  @Test
  @Tag("full")
  void silenceOfTheServer_endsByTheLimitAndHeals() {
    try (Database hasty = open(SHORT)) {
      assertThat(sum(hasty)).isZero();
      proxy.silence();
      assertThat(endedByTheLimit(() -> sum(hasty))).isTrue();
      assertThat(endedByTheLimit(() -> add(hasty, 1))).isTrue();
      assertThat(endedByTheLimit(() -> sum(hasty))).isTrue();
      proxy.resume();
      Awaitility.await().ignoreExceptions().until(() -> add(hasty, 2) == 1);
    }
  }

  @Test
  void lossOfTheServer_isLoggedOnceAndSoIsItsReturn() throws Exception {
    setLevelsOfTheService();
    try (LogCapture reachability = LogCapture.of(Reachability.class);
        LogCapture pools = LogCapture.of("com.zaxxer")) {
      atOnce(10, () -> sum(database));
      proxy.refuse();
      atOnce(10, () -> refusable(() -> sum(database)));
      proxy.resume();
      Awaitility.await().ignoreExceptions().until(() -> sum(database) == 0);
      atOnce(10, () -> refusable(() -> sum(database)));
      assertThat(reachability.lines())
          .satisfiesExactly(
              lost ->
                  assertThat(lost)
                      .startsWith("PostgreSQL was lost;")
                      .doesNotContain("\n", "stack trace"),
              back -> assertThat(back).isEqualTo("PostgreSQL is back"));
      assertSilent(pools);
    }
  }

  @Test
  void connectionLost_inACommit_isUnknownAndNotRepeated() {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(
            () ->
                database.write(
                    sql -> {
                      runs.incrementAndGet();
                      add(sql, 1);
                      proxy.cutAfterSending(1);
                      return sql;
                    }))
        .isInstanceOf(StoreUnavailableException.CommitUnknown.class);
    assertThat(runs).hasValue(1);
    Awaitility.await().ignoreExceptions().until(() -> sum(database) == 0);
  }

  @Test
  void connectionLost_inAStatement_isKnownNotToBeCommitted() {
    assertThatThrownBy(
            () ->
                database.write(
                    sql -> {
                      proxy.cut();
                      return add(sql, 1);
                    }))
        .isExactlyInstanceOf(StoreUnavailableException.class)
        .hasMessage("PostgreSQL is unreachable");
    Awaitility.await().ignoreExceptions().until(() -> add(database, 1) == 1);
  }

  @Test
  void sessionTerminated_isReplaced() throws SQLException {
    assertThat(sum(database)).isZero();
    TestStore.POSTGRESQL.run(directory, END_OTHER_SESSIONS);
    refusable(() -> sum(database));
    assertThat(sum(database)).isZero();
  }

  @Test
  void serverThatRefusesChanges_isLeft() throws SQLException {
    String name = server().getPath().substring(1);
    TestStore.POSTGRESQL.run(
        directory,
        "ALTER DATABASE " + name + " SET default_transaction_read_only = on",
        END_OTHER_SESSIONS);
    refusable(() -> sum(database));
    assertThatThrownBy(() -> add(database, 1)).hasMessage("PostgreSQL is read-only");
    TestStore.POSTGRESQL.run(
        directory,
        "SET default_transaction_read_only = off",
        "ALTER DATABASE " + name + " RESET default_transaction_read_only");
    assertThat(add(database, 1)).as("on a new connection").isEqualTo(1);
  }

  @Test
  void deadlock_runsAgainAndBothSucceed() throws Exception {
    CyclicBarrier bothHoldOne = new CyclicBarrier(2);
    AtomicInteger runs = new AtomicInteger();
    // The server looks for deadlocks after a second, so locks must be waited for longer.
    try (TestThreads threads = virtualThreads()) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int first = 1; first <= 2; first++) {
        int from = first;
        all.add(
            threads.submit(
                () ->
                    database.write(
                        sql -> {
                          int run = runs.incrementAndGet();
                          add(sql, from);
                          if (run <= 2) {
                            await(bothHoldOne);
                          }
                          return add(sql, 3 - from);
                        })));
      }
      for (Future<Integer> one : all) {
        assertThat(Waits.forResult(one)).isEqualTo(1);
      }
    }
    assertThat(runs.get()).isGreaterThan(2);
    assertThat(sum(database)).isEqualTo(4);
  }

  @Test
  void serializationFailure_thatStays_isRepeatedAFewTimes() {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(
            () ->
                database.write(
                    sql -> {
                      runs.incrementAndGet();
                      return sql.sql("DO $$BEGIN RAISE SQLSTATE '40001'; END$$").update();
                    }))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage("PostgreSQL is busy");
    assertThat(runs.get()).isBetween(2, 10);
  }

  @Test
  void preparedStatementsMixedUp_adviceIsGiven() {
    for (String state : List.of("26000", "42P05")) {
      assertThatThrownBy(
              () ->
                  database.write(
                      sql -> sql.sql("DO $$BEGIN RAISE SQLSTATE '" + state + "'; END$$").update()))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageEndingWith("add ?prepareThreshold=0 to the end of spring.datasource.url");
    }
  }

  @Test
  void write_waitingForALock_isBusy() throws SQLException {
    try (Connection other = DriverManager.getConnection(database(), "postgres", null);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute(LOCK);
      assertThatThrownBy(
              () ->
                  database.write(
                      sql -> {
                        sql.sql("SET LOCAL lock_timeout = 1").update();
                        return add(sql, 1);
                      }))
          .isExactlyInstanceOf(StoreUnavailableException.class)
          .hasMessage("PostgreSQL is busy");
      try (Database hasty = open(SHORT)) {
        assertThat(endedByTheLimit(() -> add(hasty, 1))).as("while the lock is held").isTrue();
      }
    }
  }

  @Test
  void lockTimeout_ofAWrite_isHalfOfItsLimit() {
    Duration locks = setting("lock_timeout");
    Duration statements = setting("statement_timeout");
    assertThat(statements).isLessThanOrEqualTo(AMPLE);
    // The limit begins before the wait for a connection.
    assertThat(locks).isBetween(AMPLE.dividedBy(4), AMPLE.dividedBy(2));
  }

  private Duration setting(String name) {
    return database.write(
        sql ->
            Duration.ofMillis(
                sql.sql("SELECT setting FROM pg_settings WHERE name = ?")
                    .param(name)
                    .query(Long.class)
                    .single()));
  }

  @Test
  @Tag("full")
  void manySlowStatements_together_endByTheLimit() {
    try (Database hasty = open(SHORT)) {
      assertThatThrownBy(
              () ->
                  hasty.write(
                      sql -> {
                        for (int i = 0; i < 20; i++) {
                          sql.sql("SELECT pg_sleep(1)").query((row, n) -> "").list();
                        }
                        return sql;
                      }))
          .isExactlyInstanceOf(StoreUnavailableException.class)
          .hasMessage("PostgreSQL did not answer within 3 s");
    }
    assertThat(add(database, 1)).isEqualTo(1);
  }

  /** A request that reads twice has the time of one. */
  @Test
  void transactions_ofOneRequest_shareItsTime() {
    try (Database hasty = open(Duration.ofSeconds(6))) {
      Database request = hasty.forClient("a", new RequestTime());
      assertThat(sleep(request, 2)).isEqualTo(1);
      assertThatThrownBy(() -> sleep(request, 5)).isInstanceOf(StoreUnavailableException.class);
      assertThat(request.hasTimeAfter(Duration.ofSeconds(2))).isFalse();
      assertThat(sleep(hasty.forClient("a", new RequestTime()), 0)).isEqualTo(1);
    }
  }

  /** The rest is left to find out whether a commit was lost. */
  @Test
  void firstAttempt_hasSixTenthsOfTheTime() {
    try (Database hasty = open(Duration.ofSeconds(5))) {
      Database request = hasty.forClient("a", new RequestTime());
      assertThatThrownBy(() -> sleep(request.firstAttempt(), 4))
          .isInstanceOf(StoreUnavailableException.class);
      assertThat(request.hasTimeAfter(Duration.ZERO)).isTrue();
    }
  }

  /** The pool would wait longer. */
  @Test
  void connection_thatComesTooLate_isGivenBack() throws Exception {
    int size = StoreSettings.Connections.DEFAULT.partners();
    try (TestThreads threads = virtualThreads()) {
      CountDownLatch held = new CountDownLatch(size);
      CountDownLatch free = new CountDownLatch(1);
      List<Future<Integer>> holders = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        Database holder = database.forClient("holder " + i, new RequestTime());
        holders.add(threads.submit(() -> hold(holder, held, free)));
      }
      Waits.forLatch(held);
      RequestTime little = new RequestTime();
      little.deadline(Duration.ofSeconds(1));
      assertThatThrownBy(() -> sum(database.forClient("late", little)))
          .isInstanceOf(StoreUnavailableException.class)
          .hasRootCauseInstanceOf(TimeoutException.class);
      free.countDown();
      for (Future<Integer> holder : holders) {
        Waits.forResult(holder);
      }
      atOnce(size, () -> sum(database.forClient("a", new RequestTime())));
    }
  }

  private static int hold(Database view, CountDownLatch held, CountDownLatch free) {
    return view.read(
        sql -> {
          held.countDown();
          try {
            Waits.forLatch(free);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return sql.sql("SELECT 1").query(Integer.class).single();
        });
  }

  private static int sleep(Database view, int seconds) {
    return view.read(
        sql -> sql.sql("SELECT 1 FROM pg_sleep(?)").param(seconds).query(Integer.class).single());
  }

  @Test
  @Tag("full")
  void client_withItsShareInUse_leavesTheOthers() throws Exception {
    int share = 8;
    try (Connection other = DriverManager.getConnection(database(), "postgres", null);
        Statement statement = other.createStatement();
        TestThreads threads = virtualThreads()) {
      other.setAutoCommit(false);
      statement.execute(LOCK);
      List<Future<Boolean>> slow = new ArrayList<>();
      for (int i = 0; i < 2 * share; i++) {
        slow.add(
            threads.submit(
                () -> refusable(() -> add(database.forClient("slow", new RequestTime()), 1))));
      }
      // Those beyond the share are refused while the others wait for the lock.
      Awaitility.await().until(() -> slow.stream().filter(Future::isDone).count() == share);
      for (int i = 0; i < share; i++) {
        assertThat(sum(database.forClient("other", new RequestTime()))).isZero();
      }
      assertThat(slow.stream().filter(Future::isDone)).hasSize(share);
      other.rollback();
      int made = 0;
      for (Future<Boolean> one : slow) {
        made += Waits.forResult(one) ? 0 : 1;
      }
      assertThat(made).isEqualTo(share);
    }
    assertThat(sum(database)).isEqualTo(share);
    assertThat(add(database.forClient("slow", new RequestTime()), 1)).isEqualTo(1);
  }

  private String database() {
    return TestStore.POSTGRESQL.settings(directory).url();
  }

  private static int add(Database database, int counter) {
    return database.write(sql -> add(sql, counter));
  }

  private static int add(JdbcClient sql, int counter) {
    return sql.sql("UPDATE counters SET n = n + 1 WHERE id = ?").param(counter).update();
  }

  private static int sum(Database database) {
    return database.read(
        sql -> sql.sql("SELECT sum(n)::integer FROM counters").query(Integer.class).single());
  }

  /** Runs work that the store may refuse; returns whether it did. */
  private static boolean refusable(Runnable work) {
    try {
      work.run();
      return false;
    } catch (StoreUnavailableException refused) {
      assertThat(refused).hasMessageNotContaining("\n");
      return true;
    }
  }

  /**
   * Runs work that the store may refuse; returns whether it did. The limit of the driver, which is
   * longer than any limit of a transaction, must not be what ended it.
   */
  private static boolean endedByTheLimit(Runnable work) {
    return refusable(
        () -> {
          try {
            work.run();
          } catch (StoreUnavailableException refused) {
            // The pool reports how its last attempt to connect ended, which may be one of before.
            if (!String.valueOf(refused.getMessage()).contains("provides no connection")) {
              assertThat(NestedExceptionUtils.getMostSpecificCause(refused))
                  .isNotInstanceOf(SocketTimeoutException.class);
            }
            throw refused;
          }
        });
  }

  private static TestThreads virtualThreads() {
    return TestThreads.of(Executors.newVirtualThreadPerTaskExecutor());
  }

  private static void atOnce(int count, Runnable work) throws Exception {
    try (TestThreads threads = virtualThreads()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(threads.submit(work));
      }
      for (Future<?> one : all) {
        Waits.forResult(one);
      }
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      Waits.forBarrier(barrier);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void setLevelsOfTheService() throws IOException {
    for (PropertySource<?> yaml :
        new YamlPropertySourceLoader().load("levels", new ClassPathResource("application.yaml"))) {
      for (String key : ((EnumerablePropertySource<?>) yaml).getPropertyNames()) {
        if (key.startsWith("logging.level.com.zaxxer")) {
          Logger logger =
              (Logger) LoggerFactory.getLogger(key.substring("logging.level.".length()));
          logger.setLevel(Level.toLevel(String.valueOf(yaml.getProperty(key))));
        }
      }
    }
  }
}
