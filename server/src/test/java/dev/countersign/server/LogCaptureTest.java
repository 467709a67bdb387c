package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.testing.Waits;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogCaptureTest {
  private static final Logger LOG = LoggerFactory.getLogger(LogCaptureTest.class);

  @Test
  void linesOfThisThread_whileAnotherThreadLogs_areOnlyItsOwn() throws Exception {
    try (LogCapture log = LogCapture.of(LogCaptureTest.class)) {
      Waits.forResult(CompletableFuture.runAsync(() -> LOG.info("of another thread")));
      LOG.info("of this thread");
      assertThat(log.linesOfThisThread()).containsExactly("of this thread");
      assertThat(log.lines()).containsExactly("of another thread", "of this thread");
    }
  }
}
