package dev.countersign.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.countersign.testing.Waits;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Lines while the log does not accept any. */
class RequestLinesTest {
  private final Logger log = (Logger) LoggerFactory.getLogger("countersign.requests");
  private final Logger own = (Logger) LoggerFactory.getLogger(RequestLines.class);
  private final CountDownLatch open = new CountDownLatch(1);
  private final List<ILoggingEvent> written = Collections.synchronizedList(new ArrayList<>());
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AppenderBase<ILoggingEvent> slow =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          awaitOpen();
          written.add(event);
        }
      };
  private @Nullable Level before;

  private RequestLines lines(Duration flushLimit) {
    return new RequestLines(
        () -> 0, flushLimit, new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private static void writeVerified(RequestLines lines, int count) {
    for (int i = 0; i < count; i++) {
      lines.write(Map.of("n", i), true);
    }
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @BeforeEach
  void attach() {
    before = log.getLevel();
    slow.setContext(log.getLoggerContext());
    slow.start();
    for (Logger each : List.of(log, own)) {
      each.setLevel(Level.INFO);
      each.setAdditive(false);
      each.addAppender(slow);
    }
  }

  // The end of the lines interrupts the thread that writes them.
  private void awaitOpen() {
    boolean interrupted = false;
    while (open.getCount() > 0) {
      try {
        Waits.forLatch(open);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void detach() {
    open.countDown();
    for (Logger each : List.of(log, own)) {
      each.detachAppender(slow);
      each.setAdditive(true);
      each.setLevel(each == log ? before : null);
    }
  }

  @Test
  void lines_overWhatTheLogCanTake_areDroppedAndCountedUnlessVerified() {
    int anonymous = 20_000;
    int verified = 3_000;
    RequestLines lines = lines(Waits.LIMIT);
    for (int i = 0; i < anonymous; i++) {
      lines.write(Map.of("n", i), false);
    }
    long dropped = lines.dropped();
    // Half of the places, and as many again that the background thread has already taken.
    assertThat(dropped).isBetween(anonymous - 8_200L, anonymous - 4_000L);
    for (int i = 0; i < verified; i++) {
      lines.write(Map.of("n", i), true);
    }
    assertThat(lines.dropped()).isEqualTo(dropped);

    open.countDown();
    lines.close();

    List<String> reports =
        written.stream()
            .filter(event -> event.getLevel() == Level.WARN)
            .map(ILoggingEvent::getFormattedMessage)
            .toList();
    // Two, if the background thread took lines only after the first had been dropped.
    assertThat(reports).hasSizeBetween(1, 2);
    assertThat(reports.stream().mapToLong(report -> Long.parseLong(report.split(" ")[0])).sum())
        .isEqualTo(dropped);
    assertThat(reports.getLast())
        .contains(" lines of ")
        .endsWith("; " + dropped + " since the start");
    assertThat(written).hasSize((int) (anonymous - dropped + verified + reports.size()));
    // In their order, with their fields.
    assertThat(written.getFirst().getKeyValuePairs().getFirst().value).isEqualTo(0);
    assertThat(err()).isEmpty();
  }

  @Test
  void lines_thatWaitAtTheEnd_areWrittenBeforeItReturns() throws Exception {
    RequestLines lines = lines(Waits.LIMIT);
    writeVerified(lines, 3_000);
    Thread end = new Thread(lines::close);
    end.start();
    Awaitility.await().until(() -> end.getState() == Thread.State.TIMED_WAITING);
    assertThat(written).isEmpty();

    open.countDown();
    Waits.forEnd(end);

    assertThat(written).hasSize(3_000);
    assertThat(err()).isEmpty();
  }

  @Test
  void lines_thatTheLogDoesNotAccept_areCountedOnStandardError() {
    RequestLines lines = lines(Duration.ofMillis(50)); // runs out
    writeVerified(lines, 3_000);

    lines.close();

    assertThat(err())
        .isEqualToIgnoringNewLines(
            "countersign: the log lacks 3000 lines of requests, because it did not accept them"
                + " within 50 ms while the service stopped");
  }

  @Test
  void end_withAFullQueue_doesNotWaitForAPlace() throws Exception {
    RequestLines lines = lines(Duration.ofMillis(50)); // runs out
    for (int i = 0; i < 20_000; i++) {
      lines.write(Map.of("n", i), false);
    }
    Thread partner = new Thread(() -> writeVerified(lines, 20_000));
    partner.start();
    Awaitility.await().until(() -> partner.getState() == Thread.State.WAITING);

    lines.close();

    assertThat(err()).contains(" lines of requests, because it did not accept them");
    open.countDown();
    Waits.forEnd(partner);
  }

  @Test
  void line_afterTheEnd_isWrittenAtOnce() {
    open.countDown();
    RequestLines lines = lines(Waits.LIMIT);
    lines.close();

    lines.write(Map.of("n", 1), false);

    assertThat(written).hasSize(1);
  }
}
