package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.countersign.server.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Transactions while PostgreSQL, or the network in front of it, fails. */
class DatabaseFaultsTest {
  private static final Duration LIMIT = Duration.ofSeconds(3);
  // Pools wait up to 4 s and then check a connection, so the limit above adds to that.
  private static final Duration LONGEST = Duration.ofSeconds(9);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;
  private TcpProxy proxy;
  private Database database;
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void open() throws SQLException {
    StoreSettings direct = TestStore.POSTGRESQL.settings(directory);
    URI server = URI.create(direct.url().substring("jdbc:".length()));
    proxy = TcpProxy.to(server.getPort());
    StoreSettings settings =
        new StoreSettings(
            directory,
            "jdbc:postgresql://127.0.0.1:" + proxy.port() + server.getPath(),
            direct.user(),
            null,
            StoreSettings.SCHEMA);
    database = Database.open(settings, LIMIT);
    TestStore.POSTGRESQL.run(
        directory,
        "CREATE TABLE countersign.counters (id INTEGER NOT NULL PRIMARY KEY, n INTEGER NOT NULL)",
        "INSERT INTO countersign.counters VALUES (1, 0), (2, 0)");
    log.start();
    root().addAppender(log);
  }

  @AfterEach
  void close() {
    root().detachAppender(log);
    proxy.resume();
    database.close();
    proxy.close();
  }

  @Test
  void silenceOfTheConnections_inUse_endsWithinTheLimitAndHeals() throws Exception {
    List<Database> views = List.of(database, database.control(), database.forClient("a"));
    for (Database view : views) {
      assertThat(sum(view)).isZero();
    }
    proxy.silenceExisting();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Duration>> ends = new ArrayList<>();
      for (Database view : views) {
        ends.add(threads.submit(() -> timed(() -> sum(view))));
        ends.add(threads.submit(() -> timed(() -> add(view, 1))));
      }
      for (Future<Duration> end : ends) {
        assertThat(end.get(60, TimeUnit.SECONDS)).isLessThan(LONGEST);
      }
    }
    for (Database view : views) {
      Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> add(view, 2) == 1);
    }
  }

  @Test
  @Tag("full")
  void silenceOfTheServer_endsWithinTheLimitAndHeals() {
    assertThat(sum(database)).isZero();
    proxy.silence();
    assertThat(timed(() -> sum(database))).isLessThan(LONGEST);
    assertThat(timed(() -> add(database, 1))).isLessThan(LONGEST);
    assertThatThrownBy(() -> sum(database)).isInstanceOf(StoreUnavailableException.class);
    proxy.resume();
    Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> add(database, 2) == 1);
  }

  @Test
  void lossOfTheServer_isLoggedOnceAndSoIsItsReturn() throws Exception {
    setLevelsOfTheService();
    atOnce(10, () -> sum(database));
    proxy.refuse();
    atOnce(10, () -> timed(() -> sum(database)));
    proxy.resume();
    Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> sum(database) == 0);
    atOnce(10, () -> timed(() -> sum(database)));
    List<ILoggingEvent> lines =
        List.copyOf(log.list).stream()
            .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
            .filter(event -> event.getLoggerName().matches("(dev.countersign|com.zaxxer)[.].*"))
            .toList();
    assertThat(lines).allMatch(line -> line.getThrowableProxy() == null);
    assertThat(lines.stream().map(ILoggingEvent::getFormattedMessage))
        .hasSize(2)
        .satisfiesExactly(
            lost -> assertThat(lost).startsWith("PostgreSQL was lost;").doesNotContain("\n"),
            back -> assertThat(back).isEqualTo("PostgreSQL is back"));
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
    Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> sum(database) == 0);
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
    Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> add(database, 1) == 1);
  }

  @Test
  void sessionTerminated_isReplaced() throws SQLException {
    assertThat(sum(database)).isZero();
    TestStore.POSTGRESQL.run(
        directory,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    timed(() -> sum(database));
    assertThat(sum(database)).isZero();
  }

  @Test
  void serverThatRefusesChanges_isLeft() throws SQLException {
    String name = URI.create(database().substring("jdbc:".length())).getPath().substring(1);
    TestStore.POSTGRESQL.run(
        directory,
        "ALTER DATABASE " + name + " SET default_transaction_read_only = on",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    timed(() -> sum(database));
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
    try (Database patient = TestStore.POSTGRESQL.open(directory);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int first = 1; first <= 2; first++) {
        int from = first;
        all.add(
            threads.submit(
                () ->
                    patient.write(
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
        assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(1);
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
  void write_waitingForALock_endsWithinTheLimit() throws SQLException {
    try (Connection other = DriverManager.getConnection(database(), "postgres", null);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE countersign.counters IN SHARE MODE");
      assertThatThrownBy(() -> add(database, 1))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage("PostgreSQL is busy");
      assertThat(timed(() -> add(database, 1))).isLessThan(LIMIT);
    }
  }

  @Test
  @Tag("full")
  void manySlowStatements_together_endWithinTheLimit() {
    assertThat(
            timed(
                () ->
                    database.write(
                        sql -> {
                          for (int i = 0; i < 20; i++) {
                            sql.sql("SELECT pg_sleep(1)").query((row, n) -> "").list();
                          }
                          return sql;
                        })))
        .isLessThan(LIMIT.plusSeconds(2));
    assertThat(add(database, 1)).isEqualTo(1);
  }

  @Test
  @Tag("full")
  void client_withItsShareInUse_leavesTheOthers() throws Exception {
    try (Connection other = DriverManager.getConnection(database(), "postgres", null);
        Statement statement = other.createStatement();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE countersign.counters IN SHARE MODE");
      List<Future<Duration>> blocked = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        blocked.add(threads.submit(() -> timed(() -> add(database.forClient("slow"), 1))));
      }
      while (blocked.stream().noneMatch(Future::isDone)) {
        assertThat(timed(() -> sum(database.forClient("other")))).isLessThan(LIMIT.dividedBy(2));
      }
      for (Future<Duration> one : blocked) {
        assertThat(one.get(60, TimeUnit.SECONDS)).isLessThan(LONGEST);
      }
    }
    assertThat(add(database.forClient("slow"), 1)).isEqualTo(1);
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

  /** Returns how long it took, also if the store did not answer. */
  private static Duration timed(Runnable work) {
    Instant begin = Instant.now();
    try {
      work.run();
    } catch (StoreUnavailableException refused) {
      assertThat(refused).hasMessageNotContaining("\n");
    }
    return Duration.between(begin, Instant.now());
  }

  private static void atOnce(int count, Runnable work) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(threads.submit(work));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
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

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }
}
