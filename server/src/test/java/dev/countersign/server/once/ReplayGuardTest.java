package dev.countersign.server.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.countersign.protocol.Reason;
import dev.countersign.server.TestRequest;
import dev.countersign.server.TestService;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.TestCaller;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.clients.TestClock;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.PeriodicTask;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.store.purge.Purge;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The check {@code replay} with clocks that the test moves. */
class ReplayGuardTest {
  private static final BooleanSupplier NEVER = () -> false;
  private static final CryptoProvider CRYPTO = TestService.CRYPTO;
  private static final Duration WINDOW = Duration.ofSeconds(300);
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final StoredAnswer.Done MADE =
      new StoredAnswer.Done(
          201, Map.of("Location", TestCaller.ORIGIN + WALLETS + "/1"), "{\"n\":1}");

  @TempDir private Path folder;
  // PostgreSQL has its own clock, which tests cannot move.
  private final TestClock clock = new TestClock(Instant.now());

  @ParameterizedTest
  @EnumSource
  void purge_whatCanComeAgain_isKept(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = guard(database, clock);
      SignedRequest request = signed("acme", "one", Map.of());
      once.perform(request, sql -> MADE);
      once.perform(signed("acme", "one", Map.of("Idempotency-Key", "k")), sql -> MADE);

      elapse(database, WINDOW);
      purge(database, clock).run(NEVER);
      assertThat(rows(database, "replay_claims")).isEqualTo(1);
      assertThat(rows(database, "idempotent_answers")).isEqualTo(1);
      assertDenied(Reason.REPLAYED, () -> once.perform(request, sql -> MADE));

      elapse(database, Duration.ofMinutes(3));
      purge(database, clock).run(NEVER);
      assertThat(rows(database, "replay_claims")).isZero();
      assertThat(rows(database, "idempotent_answers")).isEqualTo(1);

      elapse(database, Duration.ofHours(24));
      purge(database, clock).run(NEVER);
      assertThat(rows(database, "idempotent_answers")).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void perform_copyReadWhileItsClaimWasPurged_isRefused(TestStore store) {
    try (Database database = store.open(folder, Waits.LIMIT.multipliedBy(2))) {
      ReplayGuard once = guard(database, clock);
      SignedRequest request = signed("acme", "one", Map.of());
      once.perform(request, sql -> MADE);
      // A node whose clock is a minute ahead of this one may purge at any time.
      TestClock ahead = new TestClock(clock.instant().plus(Duration.ofMinutes(1)));
      ReplayPurge purges = purge(database, ahead);

      SignedRequest copy = request;
      for (int second = 0; second <= 600; second++) {
        purges.run(NEVER);
        assertThatThrownBy(() -> once.perform(copy, sql -> MADE))
            .as("%s s after it was signed", second)
            .isInstanceOf(DeniedException.class);
        clock.advance(Duration.ofSeconds(1));
        ahead.advance(Duration.ofSeconds(1));
      }
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void purge_byANodeWhoseClockIsAhead_reopensNothing(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = guard(database, clock);
      SignedRequest request = signed("acme", "one", Map.of());
      SignedRequest get = withNonce("acme", "", "n");
      once.perform(request, sql -> MADE);
      once.claimNonce(get);

      purgeAhead(database, Duration.ofSeconds(700));
      // PostgreSQL's own clock is right, so nothing is deleted there.
      boolean deleted = store == TestStore.SQLITE;
      assertThat(rows(database, "replay_claims")).isEqualTo(deleted ? 0 : 2);
      clock.advance(Duration.ofSeconds(50));
      Reason reason = deleted ? Reason.CREATED_TOO_OLD : Reason.REPLAYED;
      assertDenied(reason, () -> once.perform(request, sql -> MADE));
      assertDenied(reason, () -> once.claimNonce(get));

      assertThat(once.perform(signed("acme", "two", Map.of()), sql -> MADE)).isEqualTo(MADE);
      assertThat(once.perform(signed("acme", "two", Map.of("Idempotency-Key", "k")), sql -> MADE))
          .isEqualTo(MADE);
      once.claimNonce(withNonce("acme", "", "n2"));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void purge_byANodeADayAhead_executesNoKeyedCopyAgain(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = guard(database, clock);
      SignedRequest request = signed("acme", "one", Map.of("Idempotency-Key", "k"));
      once.perform(request, sql -> MADE);

      purgeAhead(database, Duration.ofHours(25));
      if (store == TestStore.SQLITE) {
        assertDenied(Reason.CREATED_TOO_OLD, () -> once.perform(request, sql -> MADE));
      } else {
        assertThat(once.perform(request, sql -> MADE).headers())
            .containsEntry("Idempotency-Replayed", "true");
      }
    }
  }

  /** Between the look for expired rows and their deletion, a request may claim an expired key. */
  @Test
  void purge_keyThatIsClaimedAnewMeanwhile_isKept() throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(folder, Waits.LIMIT.multipliedBy(2));
        TestThreads threads = TestThreads.of(2)) {
      ReplayGuard once = guard(database, clock);
      Map<String, String> key = Map.of("Idempotency-Key", "k");
      once.perform(signed("acme", "one", key), sql -> MADE);
      once.perform(signed("acme", "one", Map.of("Idempotency-Key", "other")), sql -> MADE);
      database.write(
          sql -> sql.sql("UPDATE idempotent_answers SET kept_until = 1, created = 1").update());
      CountDownLatch claimed = new CountDownLatch(1);
      CountDownLatch mayCommit = new CountDownLatch(1);
      Future<StoredAnswer.Done> request =
          threads.submit(
              () ->
                  once.perform(
                      signed("acme", "two", key),
                      sql -> {
                        claimed.countDown();
                        await(mayCommit);
                        return MADE;
                      }));
      await(claimed);
      Future<Long> purge = threads.submit(() -> purge(database, clock).run(NEVER));
      Awaitility.await().until(() -> isWaitingForALock(database, "DELETE"));
      mayCommit.countDown();

      assertThat(Waits.forResult(request)).isEqualTo(MADE);
      assertThat(Waits.forResult(purge)).as("the other key").isEqualTo(1);
      assertThat(rows(database, "idempotent_answers")).isEqualTo(1);
      assertThat(once.perform(signed("acme", "two", key), sql -> MADE).headers())
          .containsEntry("Idempotency-Replayed", "true");
    }
  }

  /** The second node waits for the key, which then becomes free, and must not run the write. */
  @Test
  void perform_copyOnAnotherNodeOfARequestRefusedForNow_isAReplay() throws Exception {
    try (Database database = TestStore.POSTGRESQL.open(folder, Waits.LIMIT.multipliedBy(2));
        TestThreads threads = TestThreads.of(2)) {
      Map<String, String> key = Map.of("Idempotency-Key", "k");
      SignedRequest request = signed("acme", "one", key);
      SignedRequest copy = signed("acme", "one", key);
      Denial later = Denial.of(Reason.ROTATION_PENDING, "later").withHeader("Retry-After", "9");
      CountDownLatch claimed = new CountDownLatch(1);
      CountDownLatch mayCommit = new CountDownLatch(1);
      Future<StoredAnswer.Done> refused =
          threads.submit(
              () ->
                  guard(database, clock)
                      .perform(
                          request,
                          sql -> {
                            claimed.countDown();
                            await(mayCommit);
                            return new StoredAnswer.Refused(later);
                          }));
      await(claimed);
      AtomicInteger executed = new AtomicInteger();
      Future<StoredAnswer.Done> again =
          threads.submit(
              () ->
                  guard(database, clock)
                      .perform(
                          copy,
                          sql -> {
                            executed.incrementAndGet();
                            return MADE;
                          }));
      Awaitility.await().until(() -> isWaitingForALock(database, "INSERT"));
      mayCommit.countDown();

      assertThatThrownBy(() -> Waits.forResult(refused))
          .cause()
          .isInstanceOfSatisfying(
              DeniedException.class, denied -> assertThat(denied.denial()).isEqualTo(later));
      assertThatThrownBy(() -> Waits.forResult(again))
          .cause()
          .isInstanceOfSatisfying(
              DeniedException.class,
              denied -> assertThat(denied.denial().reason()).isEqualTo(Reason.REPLAYED));
      assertThat(executed).hasValue(0);
      assertThat(rows(database, "idempotent_answers")).isZero();
      clock.advance(Duration.ofSeconds(1));
      assertThat(guard(database, clock).perform(signed("acme", "one", key), sql -> MADE))
          .as("signed anew")
          .isEqualTo(MADE);
    }
  }

  private static boolean isWaitingForALock(Database database, String statement) {
    return database.<Integer>read(
            sql ->
                sql.sql(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND wait_event_type = 'Lock' AND query LIKE ?")
                    .param(statement + "%")
                    .query(Integer.class)
                    .single())
        > 0;
  }

  private static void await(CountDownLatch latch) {
    try {
      Waits.forLatch(latch);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  // The answer has expired by the database's time, and by the slow clock its signature is fresh.
  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void perform_copyOfAnExpiredAnswer_isNotExecutedAgain(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = guard(database, clock);
      SignedRequest request = signed("acme", "one", Map.of("Idempotency-Key", "k"));
      once.perform(request, sql -> MADE);
      database.write(sql -> sql.sql("UPDATE idempotent_answers SET kept_until = 1").update());

      assertThat(once.perform(request, sql -> MADE).headers())
          .containsEntry("Idempotency-Replayed", "true");
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void maximumAge_raisedAfterAPurge_reopensNothing(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = guard(database, clock);
      Instant created = executeAndPurge(database, once);

      TestCaller acme = TestCaller.of("acme").at(clock, Duration.ofHours(1));
      SignedRequest young =
          acme.authenticated(acme.signed("POST", WALLETS, "one").createdAt(created));
      assertDenied(Reason.CREATED_TOO_OLD, () -> once.perform(young, sql -> MADE));
    }
  }

  @ParameterizedTest
  @EnumSource
  void copiesDuringPurges_areExecutedOnce(TestStore store) throws Exception {
    try (Database database = store.open(folder, Waits.LIMIT.multipliedBy(2))) {
      assertCopiesExecutedOnce(database);
    }
  }

  // With one snapshot for the whole transaction, a copy would not see the raised floor.
  @Test
  void copiesDuringPurges_underAnotherDefaultIsolation_areExecutedOnce() throws Exception {
    TestStore.POSTGRESQL.run(
        folder,
        """
        DO $$ BEGIN EXECUTE format(
          'ALTER DATABASE %I SET default_transaction_isolation = "repeatable read"',
          current_database()); END $$\
        """);
    try (Database database = TestStore.POSTGRESQL.open(folder, Waits.LIMIT.multipliedBy(2))) {
      assertCopiesExecutedOnce(database);
    }
  }

  private void assertCopiesExecutedOnce(Database database) throws Exception {
    try (TestThreads threads = TestThreads.of(Executors.newVirtualThreadPerTaskExecutor())) {
      // By the database's time, every claim is too old at once.
      TestClock slow = new TestClock(Instant.now().minusSeconds(1000));
      ReplayGuard once = guard(database, slow);
      AtomicBoolean over = new AtomicBoolean();
      Runnable purges =
          () -> {
            ReplayPurge purge = purge(database, clock, 1);
            while (!over.get()) {
              purge(purge);
            }
          };
      List<Future<?>> purging = List.of(threads.submit(purges), threads.submit(purges));
      try {
        for (int i = 0; i < 20; i++) {
          slow.advance(Duration.ofSeconds(1));
          SignedRequest request = signed(slow, "acme", "request " + i, Map.of());
          AtomicInteger executed = new AtomicInteger();
          List<Future<?>> copies = new ArrayList<>();
          for (int copy = 0; copy < 6; copy++) {
            copies.add(threads.submit(() -> execute(once, request, executed)));
          }
          for (Future<?> copy : copies) {
            Waits.forResult(copy);
          }
          assertThat(executed).hasValue(1);
        }
      } finally {
        over.set(true);
      }
      for (Future<?> each : purging) {
        Waits.forResult(each);
      }
      purge(database, clock).run(NEVER);
      assertThat(rows(database, "replay_claims")).isZero();
    }
  }

  /** Purges, unless the database is too busy. The next purge then does the work. */
  private static void purge(ReplayPurge purge) {
    try {
      purge.run(NEVER);
    } catch (StoreUnavailableException busy) {
      assertThat(busy).isNotInstanceOf(StoreUnavailableException.CommitUnknown.class);
    }
  }

  /** Repeats the request while the database is too busy. It has then changed nothing. */
  private static void execute(ReplayGuard once, SignedRequest request, AtomicInteger executed) {
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              try {
                once.perform(request, sql -> MADE);
                executed.incrementAndGet();
              } catch (DeniedException refused) {
                assertThat(refused.denial().reason()).isIn(Reason.REPLAYED, Reason.CREATED_TOO_OLD);
              } catch (StoreUnavailableException busy) {
                return false;
              }
              return true;
            });
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void floorAheadOfTheDatabase_isLoggedAndCanBeReset(TestStore store) throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(ReplayFloor.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try (Database database = store.open(folder)) {
      ReplayGuard once = guard(database, clock);
      ReplayPurge purge = purge(database, clock);
      purge.run(NEVER);
      assertThat(log.list).isEmpty();
      // For a while, the clock is a day ahead, also that of a signer on the same machine.
      raiseADayAhead(store, database, once);

      assertDenied(
          Reason.CREATED_TOO_OLD,
          () -> once.perform(signed("acme", "honest", Map.of()), sql -> MADE));
      purge.run(NEVER);
      purge.run(NEVER);
      assertThat(lines(log, "are refused with created_too_old")).isEqualTo(1);

      store.run(
          folder,
          store == TestStore.SQLITE
              ? "UPDATE replay_floor SET kept_until = unixepoch(), created = unixepoch()"
              : "UPDATE countersign.replay_floor SET kept_until = floor(extract(epoch FROM now())),"
                  + " created = floor(extract(epoch FROM now()))");
      clock.advance(Duration.between(clock.instant(), Instant.now().plusSeconds(2)));
      assertThat(once.perform(signed("acme", "honest", Map.of()), sql -> MADE)).isEqualTo(MADE);
      purge.run(NEVER);
      assertThat(lines(log, "are refused with created_too_old")).isEqualTo(1);
      assertThat(lines(log, "writes are accepted again")).isEqualTo(1);
    } finally {
      logger.detachAppender(log);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void floorOfAcceptedRequests_isTheOneThatTheRefusalNames(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = guard(database, clock);
      SignedRequest request = signed("acme", "one", Map.of());
      long tomorrow = clock.instant().plus(Duration.ofDays(1)).getEpochSecond();
      Duration kept = Duration.between(request.acceptedUntil(), ReplayClaims.keptUntil(request));
      database.write(sql -> sql.sql("UPDATE replay_floor SET kept_until = " + tomorrow).update());

      assertThatThrownBy(() -> once.perform(request, sql -> MADE))
          .isInstanceOfSatisfying(
              DeniedException.class,
              denied -> {
                assertThat(denied.denial().reason()).isEqualTo(Reason.CREATED_TOO_OLD);
                assertThat(denied.denial().detail())
                    .contains(
                        ", but requests accepted until "
                            + Instant.ofEpochSecond(tomorrow).minus(kept)
                            + " can");
              });
    }
  }

  private static long lines(ListAppender<ILoggingEvent> log, String text) {
    return log.list.stream().filter(line -> line.getFormattedMessage().contains(text)).count();
  }

  private void raiseADayAhead(TestStore store, Database database, ReplayGuard once) {
    if (store == TestStore.SQLITE) {
      clock.advance(Duration.ofDays(1));
      once.perform(signed("acme", "early", Map.of()), sql -> MADE);
      clock.advance(Duration.ofMinutes(10));
      purge(database, clock).run(NEVER);
      clock.advance(Duration.ofDays(-1).minusMinutes(10));
    } else {
      long tomorrow = clock.instant().plus(Duration.ofDays(1)).getEpochSecond();
      database.write(sql -> sql.sql("UPDATE replay_floor SET created = " + tomorrow).update());
    }
  }

  /**
   * Executes a request whose claim is then old enough to be deleted; returns when it was signed.
   */
  private Instant executeAndPurge(Database database, ReplayGuard once) {
    clock.advance(Duration.ofSeconds(-500));
    Instant created = clock.instant();
    once.perform(signed("acme", "one", Map.of()), sql -> MADE);
    clock.advance(Duration.ofSeconds(500));
    purge(database, clock).run(NEVER);
    assertThat(rows(database, "replay_claims")).isZero();
    return created;
  }

  private void purgeAhead(Database database, Duration ahead) {
    purge(database, new TestClock(clock.instant().plus(ahead))).run(NEVER);
  }

  /** Lets time pass, for the clock and for what is stored. */
  private void elapse(Database database, Duration time) {
    clock.advance(time);
    if (database.dialect().databaseName().equals("PostgreSQL")) {
      for (String table : List.of("replay_claims", "idempotent_answers")) {
        database.write(
            sql ->
                sql.sql(
                        "UPDATE "
                            + table
                            + " SET kept_until = kept_until - :time, created = created - :time")
                    .param("time", time.toSeconds())
                    .update());
      }
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void perform_writeThatFails_burnsNothing(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = guard(database, clock);
      for (Map<String, String> headers :
          List.of(Map.<String, String>of(), Map.of("Idempotency-Key", "k"))) {
        SignedRequest request = signed("acme", "one", headers);
        assertThatThrownBy(
                () ->
                    once.perform(
                        request,
                        sql -> {
                          throw new IllegalStateException("the disk is on fire");
                        }))
            .hasMessage("the disk is on fire");
        assertThat(rows(database, "replay_claims")).isZero();
        assertThat(rows(database, "idempotent_answers")).isZero();
      }
      assertThat(once.perform(signed("acme", "one", Map.of()), sql -> MADE)).isEqualTo(MADE);
      assertThat(once.perform(signed("acme", "one", Map.of("Idempotency-Key", "k")), sql -> MADE))
          .isEqualTo(MADE);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void perform_keyOfYesterday_isFree(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = guard(database, clock);
      Map<String, String> key = Map.of("Idempotency-Key", "k");
      once.perform(signed("acme", "one", key), sql -> MADE);
      elapse(database, Duration.ofHours(24).minusMinutes(1));
      assertThat(once.perform(signed("acme", "one", key), sql -> MADE).headers())
          .containsEntry("Idempotency-Replayed", "true");
      assertDenied(
          Reason.IDEMPOTENCY_MISMATCH, () -> once.perform(signed("acme", "two", key), sql -> MADE));
      elapse(database, Duration.ofMinutes(2));
      assertThat(once.perform(signed("acme", "two", key), sql -> MADE)).isEqualTo(MADE);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void perform_sameNonce_isTakenOnceWhateverTheRequest(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = guard(database, clock);
      once.perform(withNonce("acme", "one", "n1"), sql -> MADE);
      assertDenied(
          Reason.REPLAYED, () -> once.perform(withNonce("acme", "two", "n1"), sql -> MADE));
      assertDenied(Reason.REPLAYED, () -> once.claimNonce(withNonce("acme", "", "n1")));
      // Nonces of different clients are independent.
      once.perform(withNonce("other", "one", "n1"), sql -> MADE);
      // A request that was refused for its nonce may be sent again with a new one.
      assertThat(once.perform(withNonce("acme", "two", "n2"), sql -> MADE)).isEqualTo(MADE);
    }
  }

  @Test
  void regularPurge_storeFails_goesOnAndPurgesOnceItIsBack() {
    try (Database database = TestStore.SQLITE.open(folder)) {
      ReplayGuard once = guard(database, clock);
      once.perform(signed("acme", "one", Map.of()), sql -> MADE);
      clock.advance(Duration.ofHours(1));
      rename(database, "replay_claims", "gone");
      AtomicInteger attempts = new AtomicInteger();
      Runnable attempt =
          () -> {
            attempts.incrementAndGet();
            purge(database, clock).run(NEVER);
          };
      try (PeriodicTask purge = PeriodicTask.start("purge", Duration.ofMillis(10), attempt)) {
        // The second attempt begins after the first one has failed.
        Awaitility.await().until(() -> attempts.get() >= 2);
        rename(database, "gone", "replay_claims");
        Awaitility.await()
            .untilAsserted(
                () -> assertThat(rows(database, "replay_claims")).as("%s", purge).isZero());
      }
    }
  }

  private static void rename(Database database, String from, String to) {
    database.write(sql -> sql.sql("ALTER TABLE " + from + " RENAME TO " + to).update());
  }

  private static int rows(Database database, String table) {
    return database.read(
        sql -> sql.sql("SELECT count(*) FROM " + table).query(Integer.class).single());
  }

  private static void assertDenied(Reason reason, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            DeniedException.class,
            denied -> assertThat(denied.denial().reason()).isEqualTo(reason));
  }

  private SignedRequest signed(String clientId, String body, Map<String, String> headers) {
    return signed(clock, clientId, body, headers);
  }

  private static SignedRequest signed(
      Clock time, String clientId, String body, Map<String, String> headers) {
    TestCaller caller = TestCaller.of(clientId).at(time, WINDOW);
    TestRequest request = caller.signed(body.isEmpty() ? "GET" : "POST", WALLETS, body);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      request = request.with(header.getKey(), header.getValue());
    }
    return caller.authenticated(request);
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void perform_clientDisabledMeanwhile_changesNothing(TestStore store) {
    try (Database database = store.open(folder)) {
      Map<String, RegisteredClient> committed = new HashMap<>();
      ReplayGuard once =
          new ReplayGuard(
              database, (sql, id) -> Optional.ofNullable(committed.get(id)), CRYPTO, clock);
      RegisteredClient acme = TestCaller.of("acme").client();
      Map<String, String> key = Map.of("Idempotency-Key", "k");
      committed.put("acme", acme);
      once.perform(signed("acme", "one", key), sql -> MADE);
      List<RegisteredClient> changed =
          List.of(
              with(acme, false, acme.whitelist(), acme.keys()),
              with(acme, true, NetworkWhitelist.parse(List.of("203.0.113.7")), acme.keys()),
              with(acme, true, acme.whitelist(), List.of()));
      List<Reason> reasons =
          List.of(Reason.CLIENT_DISABLED, Reason.ADDRESS_NOT_ALLOWED, Reason.SIGNATURE_MISMATCH);

      for (int i = 0; i < changed.size(); i++) {
        committed.put("acme", changed.get(i));
        SignedRequest plain = signed("acme", "two", Map.of());
        assertDenied(reasons.get(i), () -> once.perform(plain, sql -> insert(sql)));
        // Not even a stored answer is returned.
        SignedRequest again = signed("acme", "one", key);
        assertDenied(reasons.get(i), () -> once.perform(again, sql -> insert(sql)));
      }
      committed.clear();
      SignedRequest removed = signed("acme", "two", Map.of());
      assertDenied(Reason.CLIENT_UNKNOWN, () -> once.perform(removed, sql -> insert(sql)));

      assertThat(rows(database, "wallets")).isZero();
      assertThat(rows(database, "replay_claims")).isZero();
      committed.put("acme", acme);
      once.perform(removed, sql -> insert(sql));
      assertThat(rows(database, "wallets")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void perform_authorizationChangedMeanwhile_changesNothing(TestStore store) {
    try (Database database = store.open(folder)) {
      ReplayGuard once = guard(database, clock);
      AtomicInteger calls = new AtomicInteger();
      TestCaller acme = TestCaller.of("acme").at(clock, WINDOW);
      SignedRequest request =
          acme.authenticated(
              acme.signed("POST", WALLETS, "one"), client -> "scope " + calls.incrementAndGet());

      assertDenied(Reason.SCOPE_VIOLATION, () -> once.perform(request, sql -> insert(sql)));

      assertThat(rows(database, "wallets")).isZero();
    }
  }

  private static RegisteredClient with(
      RegisteredClient client,
      boolean enabled,
      NetworkWhitelist whitelist,
      List<RegisteredClient.Key> keys) {
    return new RegisteredClient(
        client.clientId(), enabled, whitelist, client.permissions(), client.attributes(), keys);
  }

  private static StoredAnswer.Done insert(JdbcClient sql) {
    sql.sql(
            "INSERT INTO wallets (id, name, currency_code, status, created_at)"
                + " VALUES ('6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'W', 'EUR', 'ACTIVE',"
                + " '2026-01-01T00:00:00.000Z')")
        .update();
    return MADE;
  }

  private static ReplayGuard guard(Database database, TestClock time) {
    return new ReplayGuard(database, (sql, id) -> TestCaller.registered(id), CRYPTO, time);
  }

  private static ReplayPurge purge(Database database, TestClock time) {
    return purge(database, time, Purge.MAX_BATCH);
  }

  /** The purge of a node that holds the lease. */
  private static ReplayPurge purge(Database database, TestClock time, int maxBatch) {
    return new ReplayPurge(
        database,
        new Purge(
            database, new Purge.Lease("claims", 1), () -> true, time, System::nanoTime, maxBatch),
        time);
  }

  private SignedRequest withNonce(String clientId, String body, String nonce) {
    TestCaller caller = TestCaller.of(clientId).at(clock, WINDOW);
    return caller.authenticated(
        caller
            .signed(body.isEmpty() ? "GET" : "POST", WALLETS, body)
            .withMore(";nonce=\"" + nonce + "\""));
  }
}
