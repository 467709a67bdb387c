package dev.countersign.server.requests;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.FailureLog;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Floods and failures between a request and its row. */
class RecordWriterTest {
  private static final CompletedRequest STRANGERS =
      CompletedRequests.refused(
          CompletedRequests.NOON, TrustLevel.ANONYMOUS, Reason.SIGNATURE_MISSING);
  private static final CompletedRequest CLAIMED =
      CompletedRequests.refused(
          CompletedRequests.NOON, TrustLevel.CLAIMED, Reason.SIGNATURE_MISMATCH);
  private static final CompletedRequest VERIFIED =
      CompletedRequests.accepted(CompletedRequests.NOON, "cl-a");
  private static final CompletedRequest VERIFIED_REFUSED =
      CompletedRequests.refused(CompletedRequests.NOON, TrustLevel.VERIFIED, Reason.ROLE_MISSING);

  private static final Logger LOG = (Logger) LoggerFactory.getLogger(FailureLog.class);

  @TempDir private Path folder;
  private final AtomicLong nanos = new AtomicLong();
  private @Nullable Appender<ILoggingEvent> log;
  private final RationedQueues queues = new RationedQueues(6_000, 1_000, nanos::get);

  @AfterEach
  void stopListening() {
    LOG.detachAppender(log);
  }

  @ParameterizedTest
  @EnumSource
  void floodOfStrangers_takesNoPlaceOfVerifiedRequests(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      RecordWriter writer = new RecordWriter(queues, database, new RecordIds(new Random(3)));
      for (int second = 0; second < 10; second++) {
        nanos.set(second * 1_000_000_000L);
        for (int i = 0; i < 10_000; i++) {
          queues.offer(STRANGERS);
        }
        for (int i = 0; i < 5_000; i++) {
          queues.offer(CLAIMED);
        }
        for (int i = 0; i < 100; i++) {
          queues.offer(VERIFIED);
        }
        writer.flush();
      }
      RequestCounters counters = writer.counters();
      assertThat(counters.stored())
          .isEqualTo(
              Map.of(
                  TrustLevel.VERIFIED,
                  1_000L,
                  TrustLevel.CLAIMED,
                  2_000L,
                  TrustLevel.ANONYMOUS,
                  1_000L));
      assertThat(counters.dropped())
          .isEqualTo(
              Map.of(
                  TrustLevel.VERIFIED,
                  0L,
                  TrustLevel.CLAIMED,
                  48_000L,
                  TrustLevel.ANONYMOUS,
                  99_000L));
      assertThat(count(database, "WHERE standing = 0")).isEqualTo(1_000);
      assertThat(count(database, "")).isEqualTo(4_000);
    }
  }

  @Test
  void floodWhileNobodyWrites_holdsABoundedNumber() {
    for (int second = 0; second < 1_000; second++) {
      nanos.set(second * 1_000_000_000L);
      for (int i = 0; i < 2_000; i++) {
        queues.offer(STRANGERS);
        queues.offer(VERIFIED);
      }
    }
    assertThat(queues.drain(Integer.MAX_VALUE)).hasSize(4_200 + 600);
    assertThat(queues.queue(TrustLevel.ANONYMOUS).dropped()).isEqualTo(2_000_000 - 600);
    assertThat(queues.queue(TrustLevel.VERIFIED).dropped()).isEqualTo(2_000_000 - 4_200);
    nanos.addAndGet(1_000_000_000L);
    queues.offer(VERIFIED);
    assertThat(queues.drain(10)).hasSize(1);
  }

  @Test
  void verifiedOverTheCap_refusalsHaveTheLastFifth() {
    for (int i = 0; i < 2_000; i++) {
      queues.offer(VERIFIED);
    }
    for (int i = 0; i < 2_000; i++) {
      queues.offer(VERIFIED_REFUSED);
    }
    assertThat(queues.drain(10_000).stream().filter(r -> r.reason() == null)).hasSize(560);
    assertThat(queues.queue(TrustLevel.VERIFIED).dropped()).isEqualTo(4_000 - 700);
  }

  /** It has read the time when the others had not yet begun the next second. */
  @Test
  void requestAtTheEndOfASecond_doesNotLetTheNextSecondBeginAgain() {
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    RationedQueues capped =
        new RationedQueues(
            6_000,
            1_000,
            () -> {
              long read = nanos.get();
              meanwhile.getAndSet(() -> {}).run();
              return read;
            });
    Runnable flood =
        () -> {
          nanos.set(1_000_000_000L);
          for (int i = 0; i < 1_000; i++) {
            capped.offer(VERIFIED);
          }
        };
    meanwhile.set(flood);
    capped.offer(VERIFIED);
    flood.run();
    assertThat(capped.drain(10_000)).hasSize(560);
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void storeThatFails_dropsAndCountsAndSaysSoOnce(TestStore store) {
    try (Database main = store.open(folder);
        Database database = main.openBeside("requests")) {
      RecordWriter writer = new RecordWriter(queues, database, new RecordIds(new Random(3)));
      List<String> messages = messagesOfThisThread();
      execute(database, "ALTER TABLE request_details RENAME TO elsewhere");
      for (int i = 0; i < 5; i++) {
        queues.offer(VERIFIED);
        writer.flush();
      }
      assertThat(writer.counters().dropped().get(TrustLevel.VERIFIED)).isEqualTo(5);
      assertThat(count(database, "")).as("no partial batch").isZero();
      execute(database, "ALTER TABLE elsewhere RENAME TO request_details");
      queues.offer(VERIFIED);
      writer.flush();
      queues.offer(VERIFIED);
      writer.flush();
      assertThat(writer.counters().stored().get(TrustLevel.VERIFIED)).isEqualTo(2);
      assertThat(messages).hasSize(2);
      assertThat(messages.getFirst())
          .startsWith("requests are not recorded because the store fails: ");
      assertThat(messages.getLast()).isEqualTo("resolved: requests are not recorded");
    }
  }

  /** The writers of other services in this JVM log on their own threads. */
  private List<String> messagesOfThisThread() {
    List<String> messages = new CopyOnWriteArrayList<>();
    String thread = Thread.currentThread().getName();
    log =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            if (event.getThreadName().equals(thread)) {
              messages.add(event.getFormattedMessage());
            }
          }
        };
    log.setContext(LOG.getLoggerContext());
    log.start();
    LOG.addAppender(log);
    return messages;
  }

  private static void execute(Database database, String statement) {
    database.write(sql -> sql.sql(statement).update());
  }

  private static long count(Database database, String where) {
    return database.read(
        sql -> sql.sql("SELECT count(*) FROM request_records " + where).query(Long.class).single());
  }
}
