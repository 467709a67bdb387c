package dev.countersign.server.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.protocol.Reason;
import dev.countersign.server.TestRequest;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.TestCaller;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.PostgresqlServer;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.StoreUnavailableException;
import dev.countersign.server.store.TestStore;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.testing.CommitProxy;
import dev.countersign.testing.CommitProxy.Cut;
import dev.countersign.testing.CommitProxy.Side;
import dev.countersign.testing.CommitProxy.Unit;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A write whose connection dies during the commit is executed once, and its answer says so, or says
 * that the outcome is unknown.
 */
class CommitOutcomeTest {
  private static final boolean FULL = Boolean.getBoolean("countersign.full");
  private static final List<Map<String, String>> KINDS =
      List.of(Map.of(), Map.of("Idempotency-Key", "one"));

  private static final TestCaller PARTNER = TestCaller.of("partner");
  private static final String WALLETS = "/ledger/v1/wallets";

  // Bind, Execute and Sync.
  private static final int MESSAGES = 3;

  @TempDir private Path folder;
  private final AtomicInteger names = new AtomicInteger();
  private CommitProxy proxy;
  private Database cutOff;
  private Database direct;
  private ReplayGuard guard;

  private void open(StoreSettings settings) throws IOException {
    URI url = URI.create(settings.url().substring("jdbc:".length()));
    proxy = new CommitProxy(url.getPort());
    direct = Database.open(settings);
    cutOff =
        Database.open(
            new StoreSettings(
                folder,
                settings.url().replace(":" + url.getPort(), ":" + proxy.port()),
                settings.user(),
                null,
                StoreSettings.SCHEMA));
    guard =
        new ReplayGuard(
            cutOff,
            (sql, id) -> TestCaller.registered(id),
            CryptoProvider.jdk(),
            Clock.systemUTC());
  }

  @AfterEach
  void close() throws IOException {
    if (proxy != null) {
      cutOff.close();
      direct.close();
      proxy.close();
    }
  }

  @Test
  void perform_connectionCutAtAnyByteOfTheCommit_isExecutedOnceAndAnswered() throws Exception {
    open(TestStore.POSTGRESQL.settings(folder));
    // Measures the commit of a fresh connection, which is the longest.
    String measured = newName();
    proxy.arm(Cut.of(measured, Side.ANSWER, Integer.MAX_VALUE));
    perform(measured, Map.of());
    assertThat(proxy.requestLength()).isPositive();
    assertThat(proxy.answerLength()).isPositive();
    int request = proxy.requestLength();
    // A client that has all of the answer has lost nothing.
    int answer = proxy.answerLength() - 1;

    for (Map<String, String> kind : KINDS) {
      for (int bytes : offsets(request)) {
        inTime(() -> assertExecutedOnce(kind, Side.REQUEST, bytes));
      }
      for (int bytes : offsets(answer)) {
        inTime(() -> assertExecutedOnce(kind, Side.ANSWER, bytes));
      }
    }
  }

  /** A client that has the whole answer has lost nothing. */
  @Test
  void perform_connectionCutBetweenTheMessagesOfTheCommit_isExecutedOnce() throws Exception {
    open(TestStore.POSTGRESQL.settings(folder));
    for (Side side : Side.values()) {
      int last = side == Side.REQUEST ? MESSAGES : MESSAGES - 1;
      for (int messages = 0; messages <= last; messages++) {
        int passed = messages;
        inTime(() -> assertExecutedOnceAfterMessages(side, passed));
      }
    }
  }

  private void assertExecutedOnceAfterMessages(Side side, int messages) {
    String name = newName();
    int before = proxy.cuts();
    proxy.arm(new Cut(name, side, messages, Unit.MESSAGE, () -> false));
    StoredAnswer.Done answer = perform(name, Map.of());
    assertThat(proxy.cuts() - before).as("%s after %d messages", side, messages).isEqualTo(1);
    assertThat(stored(name)).containsExactly(answer.body());
  }

  /**
   * Runs a trial, with a new request each time, until the machine is fast enough for it: the guard
   * gives up after 10 s, less the next pause of at most 1 s.
   */
  private static void inTime(Runnable trial) {
    while (true) {
      long begin = System.nanoTime();
      try {
        trial.run();
        return;
      } catch (DeniedException denied) {
        boolean late = System.nanoTime() - begin >= TimeUnit.SECONDS.toNanos(9);
        if (!late || denied.denial().reason() != Reason.OUTCOME_UNKNOWN) {
          throw denied;
        }
      }
    }
  }

  /** All offsets, or the ends and the middle in the quick run. */
  private static int[] offsets(int length) {
    return FULL
        ? IntStream.rangeClosed(0, length).toArray()
        : new int[] {0, 1, length / 2, length - 1, length};
  }

  private void assertExecutedOnce(Map<String, String> kind, Side side, int bytes) {
    String name = newName();
    int before = proxy.cuts();
    proxy.arm(Cut.of(name, side, bytes));
    StoredAnswer.Done answer = perform(name, kind);
    // The answer is a few bytes shorter if COMMIT was prepared before. Then it is not cut.
    boolean isCut = side == Side.REQUEST || bytes < proxy.answerLength();
    assertThat(proxy.cuts() - before).isEqualTo(isCut ? 1 : 0);
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.headers()).doesNotContainKey("Idempotency-Replayed");
    assertThat(stored(name))
        .as("%s %s after %d bytes", kind, side, bytes)
        .containsExactly(answer.body());
  }

  // A look-up alone would not find the first commit, which is still on its way.
  @Test
  void perform_commitArrivesWhileItIsResolved_isExecutedOnce() throws Exception {
    open(TestStore.POSTGRESQL.settings(folder));
    for (Map<String, String> kind : KINDS) {
      for (boolean arrives : List.of(true, false)) {
        inTime(() -> assertExecutedOnce(kind, arrives));
      }
    }
  }

  private void assertExecutedOnce(Map<String, String> kind, boolean arrives) {
    String name = newName();
    AtomicBoolean waited = new AtomicBoolean();
    proxy.arm(
        new Cut(
            name,
            Side.REQUEST,
            0,
            () -> {
              awaitWaitingInsert();
              waited.set(true);
              return arrives;
            }));
    StoredAnswer.Done answer = perform(name, kind);
    assertThat(waited).as("the next attempt waited for the first one").isTrue();
    assertThat(stored(name)).as("%s, arrives: %s", kind, arrives).containsExactly(answer.body());
  }

  @Test
  void perform_copyIsExecutedBetweenTheAttempts_isReplayedOrGetsItsAnswer() throws Exception {
    open(TestStore.POSTGRESQL.settings(folder));
    ReplayGuard other =
        new ReplayGuard(
            direct,
            (sql, id) -> TestCaller.registered(id),
            CryptoProvider.jdk(),
            Clock.systemUTC());
    for (Map<String, String> kind : KINDS) {
      inTime(() -> assertCopyExecutedOnce(other, kind));
    }
  }

  private void assertCopyExecutedOnce(ReplayGuard other, Map<String, String> kind) {
    String name = newName();
    SignedRequest request = signed(name, kind);
    SignedRequest copy = signed(name, kind);
    proxy.arm(
        new Cut(
            name,
            Side.REQUEST,
            0,
            () -> {
              proxy.refuse(true);
              rollBackOthers();
              other.perform(kind.isEmpty() ? request : copy, sql -> insert(sql, name));
              proxy.refuse(false);
              return false;
            }));
    try {
      StoredAnswer.Done answer = guard.perform(request, sql -> insert(sql, name));
      assertThat(kind).as("a copy without a key gets no answer").isNotEmpty();
      assertThat(answer.headers()).containsEntry("Idempotency-Replayed", "true");
      assertThat(stored(name)).containsExactly(answer.body());
    } catch (DeniedException replayed) {
      if (replayed.denial().reason() != Reason.REPLAYED) {
        throw replayed;
      }
      assertThat(kind).as("a copy with a key gets the answer").isEmpty();
      assertThat(stored(name)).hasSize(1);
    }
  }

  @Test
  void perform_statementFailsBeforeTheCommit_isNotTriedAgain() throws Exception {
    open(TestStore.POSTGRESQL.settings(folder));
    AtomicInteger runs = new AtomicInteger();
    SignedRequest request = signed("none", Map.of());
    StoreUnavailableException failure =
        catchThrowableOfType(
            StoreUnavailableException.class,
            () ->
                guard.perform(
                    request,
                    sql -> {
                      runs.incrementAndGet();
                      proxy.refuse(true);
                      return insert(sql, "none");
                    }));
    assertThat(failure).isNotInstanceOf(StoreUnavailableException.CommitUnknown.class);
    assertThat(runs).hasValue(1);
    assertThat(stored("none")).isEmpty();
  }

  @Test
  @Tag("full")
  void perform_storeStaysAway_saysThatTheOutcomeIsUnknown() throws Exception {
    open(TestStore.POSTGRESQL.settings(folder));
    for (Map<String, String> kind : KINDS) {
      // The write without a key is not committed, that with a key is.
      boolean committed = !kind.isEmpty();
      String name = newName();
      TestRequest sent = call(name, kind);
      proxy.arm(
          new Cut(
              name,
              committed ? Side.ANSWER : Side.REQUEST,
              1,
              () -> {
                proxy.refuse(true);
                return false;
              }));
      DeniedException unknown =
          catchThrowableOfType(DeniedException.class, () -> perform(name, kind));
      assertThat(unknown.denial().reason()).isEqualTo(Reason.OUTCOME_UNKNOWN);
      assertThat(unknown.denial().check()).isNull();
      assertThat(unknown.denial().headers()).containsEntry("Retry-After", "1");
      assertThat(unknown.denial().detail())
          .contains(committed ? "the same Idempotency-Key" : "reading the collection");
      assertThat(stored(name)).hasSize(committed ? 1 : 0);

      proxy.refuse(false);
      StoredAnswer.Done learnt =
          Awaitility.await()
              .ignoreException(StoreUnavailableException.class)
              .until(
                  // Received anew each time, because a request has 10 s in all.
                  () -> perform(PARTNER.authenticated(sent), name), answer -> true);
      assertThat(learnt.headers().containsKey("Idempotency-Replayed")).isEqualTo(committed);
      assertThat(stored(name)).containsExactly(learnt.body());
    }
  }

  @Test
  @Tag("full")
  void perform_serverCrashesDuringTheCommit_isExecutedAtMostOnce() throws Exception {
    try (PostgresqlServer server = PostgresqlServer.start(folder.resolve("pg"))) {
      open(
          new StoreSettings(
              folder, server.url("postgres"), "postgres", null, StoreSettings.SCHEMA));
      int resolved = 0;
      // On a slow machine, the server may start again too late for the guard.
      for (int round = 0; round < 5 && resolved == 0; round++) {
        for (Map<String, String> kind : KINDS) {
          for (Side side : Side.values()) {
            resolved += isResolvedAfterACrash(server, kind, side) ? 1 : 0;
          }
        }
      }
      assertThat(resolved).isPositive();
    }
  }

  private boolean isResolvedAfterACrash(
      PostgresqlServer server, Map<String, String> kind, Side side) {
    String name = newName();
    // All of the request, or nothing of the answer.
    int bytes = side == Side.REQUEST ? Integer.MAX_VALUE : 0;
    CountDownLatch back = new CountDownLatch(1);
    proxy.arm(
        new Cut(
            name,
            side,
            bytes,
            () -> {
              server.crash();
              back.countDown();
              return false;
            }));
    try {
      StoredAnswer.Done answer = performOnceReachable(name, kind);
      assertThat(stored(name)).containsExactly(answer.body());
      return true;
    } catch (DeniedException unknown) {
      assertThat(unknown.denial().reason()).isEqualTo(Reason.OUTCOME_UNKNOWN);
      await(back);
      assertThat(stored(name)).hasSizeLessThan(2);
      return false;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      Waits.forLatch(latch);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void claimNonce_connectionCutDuringCommit_isClaimedOnce() throws Exception {
    open(TestStore.POSTGRESQL.settings(folder));
    int rows = 0;
    for (Side side : Side.values()) {
      SignedRequest request =
          PARTNER.authenticated(
              PARTNER.signed("GET", WALLETS, "").withMore(";nonce=\"" + newName() + "\""));
      // The claim's own transaction has no other text that identifies it.
      proxy.arm(Cut.of("replay_claims", side, side == Side.REQUEST ? Integer.MAX_VALUE : 0));
      int before = proxy.cuts();
      guard.claimNonce(request);
      assertThat(proxy.cuts()).isEqualTo(before + 1);
      assertThat(count("SELECT count(*) FROM replay_claims")).isEqualTo(++rows);
      DeniedException replayed =
          catchThrowableOfType(DeniedException.class, () -> guard.claimNonce(request));
      assertThat(replayed.denial().reason()).isEqualTo(Reason.REPLAYED);
    }
  }

  /** The claim is stored, so the same nonce would be refused. */
  @Test
  @Tag("full")
  void claimNonce_storeStaysAway_asksForANewNonce() throws Exception {
    open(TestStore.POSTGRESQL.settings(folder));
    SignedRequest request =
        PARTNER.authenticated(
            PARTNER.signed("GET", WALLETS, "").withMore(";nonce=\"" + newName() + "\""));
    proxy.arm(
        new Cut(
            "replay_claims",
            Side.ANSWER,
            1,
            () -> {
              proxy.refuse(true);
              return false;
            }));
    DeniedException unknown =
        catchThrowableOfType(DeniedException.class, () -> guard.claimNonce(request));
    assertThat(unknown.denial().reason()).isEqualTo(Reason.OVERLOADED);
    assertThat(unknown.denial().check()).isNull();
    assertThat(unknown.denial().headers()).containsEntry("Retry-After", "1");
    assertThat(unknown.denial().detail()).contains("with a new nonce");
    assertThat(count("SELECT count(*) FROM replay_claims")).isEqualTo(1);
  }

  private String newName() {
    return "wallet-" + names.incrementAndGet() + "-";
  }

  private StoredAnswer.Done perform(String name, Map<String, String> kind) {
    return perform(signed(name, kind), name);
  }

  private StoredAnswer.Done perform(SignedRequest request, String name) {
    return guard.perform(request, sql -> insert(sql, name));
  }

  /** Performs a write, after failures before its commit on connections of an earlier server. */
  private StoredAnswer.Done performOnceReachable(String name, Map<String, String> kind) {
    for (int dead = 0; dead < 50; dead++) {
      try {
        return perform(name, kind);
      } catch (StoreUnavailableException beforeTheCommit) {
        assertThat(stored(name)).isEmpty();
      }
    }
    throw new AssertionError("the store stays unreachable");
  }

  private static StoredAnswer.Done insert(JdbcClient sql, String name) {
    UUID id = UUID.randomUUID();
    sql.sql("INSERT INTO wallets VALUES (?, ?, 'EUR', 'ACTIVE', now())")
        .param(id)
        .param(name)
        .update();
    return new StoredAnswer.Done(201, Map.of(), id.toString());
  }

  private List<String> stored(String name) {
    // Its connections do not survive a crash of the server.
    return Awaitility.await()
        .pollDelay(Duration.ZERO)
        .ignoreException(StoreUnavailableException.class)
        .until(
            () ->
                direct.read(
                    sql ->
                        sql.sql("SELECT id::text FROM wallets WHERE name = ?")
                            .param(name)
                            .query(String.class)
                            .list()),
            found -> true);
  }

  private int count(String query) {
    return direct.read(sql -> sql.sql(query).query(Integer.class).single());
  }

  private void awaitWaitingInsert() {
    Awaitility.await()
        .until(
            () ->
                count(
                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND datname = current_database()")
                    > 0);
  }

  /** Ends the sessions that are idle in a transaction, which rolls it back. */
  private void rollBackOthers() {
    direct.write(
        sql ->
            sql.sql(
                    "SELECT pg_terminate_backend(pid, "
                        + Waits.LIMIT.toMillis()
                        + ") FROM pg_stat_activity"
                        // A session that has received a part of the commit is still active.
                        + " WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid()"
                        + " AND datname = current_database()")
                .query(Boolean.class)
                .list());
  }

  private static SignedRequest signed(String name, Map<String, String> kind) {
    return PARTNER.authenticated(call(name, kind));
  }

  /** A request with its own signature; with a key, its own key. */
  private static TestRequest call(String name, Map<String, String> kind) {
    TestRequest request = PARTNER.signed("POST", WALLETS, name);
    return kind.isEmpty() ? request : request.with("Idempotency-Key", name);
  }
}
