package dev.countersign.server.access;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * Writes the lines of requests to the log {@code countersign.requests}, in the background. While
 * the log is slow, lines wait in memory. If more than half of the places are taken, lines of
 * requests without a verified signature are dropped and counted, so that a flood neither slows the
 * service nor displaces the lines of partners. A line of a verified request is never dropped: if
 * all places are taken, its request waits, after its answer was sent.
 */
final class RequestLines implements AutoCloseable {
  private static final int PLACES = 8_192;
  // How often the log says how many lines were dropped.
  private static final Duration REPORTED_EVERY = Duration.ofSeconds(10);
  private static final String CLASS = RequestLines.class.getName();

  private final Logger log = (Logger) LoggerFactory.getLogger("countersign.requests");
  private final Logger own = (Logger) LoggerFactory.getLogger(RequestLines.class);
  private final AsyncAppender queue = new AsyncAppender();
  private final LongSupplier nanoTime;
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong reported = new AtomicLong();
  private final AtomicLong reportedAt;

  /**
   * Starts the background thread.
   *
   * @param nanoTime the time in nanoseconds, from any origin
   */
  RequestLines(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.reportedAt = new AtomicLong(nanoTime.getAsLong() - REPORTED_EVERY.toNanos());
    LoggerContext context = log.getLoggerContext();
    Delivery delivery = new Delivery();
    delivery.setContext(context);
    delivery.start();
    queue.setContext(context);
    queue.setName("request-lines");
    queue.setQueueSize(PLACES);
    // This class drops lines itself, because the appender does not count those that it drops.
    queue.setDiscardingThreshold(0);
    queue.addAppender(delivery);
    queue.start();
  }

  /**
   * Writes a line.
   *
   * @param fields the fields in their order
   * @param isVerified whether the request has a verified signature
   */
  void write(Map<String, Object> fields, boolean isVerified) {
    if (!log.isInfoEnabled()) {
      return;
    }
    if (!isVerified && queue.getRemainingCapacity() < PLACES / 2) {
      dropped.incrementAndGet();
      return;
    }
    LoggingEvent line = new LoggingEvent(CLASS, log, Level.INFO, "request", null, null);
    fields.forEach((name, value) -> line.addKeyValuePair(new KeyValuePair(name, value)));
    send(line);
    long last = reportedAt.get();
    if (nanoTime.getAsLong() - last >= REPORTED_EVERY.toNanos()
        && dropped.get() > reported.get()
        && reportedAt.compareAndSet(last, nanoTime.getAsLong())) {
      report();
    }
  }

  /** Returns the number of lines dropped since the start. */
  long dropped() {
    return dropped.get();
  }

  private void report() {
    long total = dropped.get();
    long lines = total - reported.getAndSet(total);
    if (lines > 0) {
      send(
          new LoggingEvent(
              CLASS,
              own,
              Level.WARN,
              "{} lines of requests without a verified signature are missing here, because the log"
                  + " was too slow for them; {} since the start",
              null,
              new Object[] {lines, total}));
    }
  }

  private void send(LoggingEvent event) {
    if (queue.isStarted()) {
      queue.doAppend(event);
    } else {
      deliver(event);
    }
  }

  /** Passes an event to the appenders of its logger, as the logger itself would. */
  private void deliver(ILoggingEvent event) {
    log.getLoggerContext().getLogger(event.getLoggerName()).callAppenders(event);
  }

  /** Writes the lines that wait, for at most a second. Later lines are written at once. */
  @Override
  public void close() {
    report();
    queue.stop();
  }

  private final class Delivery extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      deliver(event);
    }
  }
}
