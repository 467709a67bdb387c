package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
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
  private final List<ILoggingEvent> written = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> slow =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          try {
            open.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          written.add(event);
        }
      };
  private @Nullable Level before;

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

  @AfterEach
  void detach() {
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
    RequestLines lines = new RequestLines(() -> 0);
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

    assertThat(written).hasSize((int) (anonymous - dropped + verified + 1));
    assertThat(written)
        .filteredOn(event -> event.getLevel() == Level.WARN)
        .singleElement()
        .satisfies(
            event -> assertThat(event.getFormattedMessage()).startsWith(dropped + " lines of"));
    // In their order, with their fields.
    assertThat(written.getFirst().getKeyValuePairs().getFirst().value).isEqualTo(0);
  }

  @Test
  void line_afterTheEnd_isWrittenAtOnce() {
    open.countDown();
    RequestLines lines = new RequestLines(() -> 0);
    lines.close();

    lines.write(Map.of("n", 1), false);

    assertThat(written).hasSize(1);
  }
}
