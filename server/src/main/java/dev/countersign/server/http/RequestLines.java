package dev.countersign.server.http;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * Writes the lines of requests to the log {@code countersign.requests}, in the background. While
 * the log is slow, up to 8,192 lines wait in a queue in memory. While the queue is more than half
 * full, lines of requests without a verified signature are dropped and counted, so that a flood
 * neither slows the service nor displaces the lines of partners. A line of a verified request is
 * never dropped: if the queue is full, its request waits, after its answer was sent.
 *
 * <p>{@link #close} writes the lines that wait. The number of lines that the log does not accept in
 * time is written to standard error, because the log itself cannot report it.
 */
final class RequestLines implements AutoCloseable {
  private static final int QUEUE_SIZE = 8_192;
  // How often the log says how many lines were dropped.
  private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);

  /** How long {@link #close} waits for the log. */
  static final Duration FLUSH_LIMIT = Duration.ofSeconds(10);

  private static final String CLASS = RequestLines.class.getName();

  private final Logger log = (Logger) LoggerFactory.getLogger("countersign.requests");
  private final Logger ownLog = (Logger) LoggerFactory.getLogger(RequestLines.class);
  private final AsyncAppender queue = new AsyncAppender();
  private final LongSupplier nanoTime;
  private final Duration flushLimit;
  private final PrintStream err;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong reported = new AtomicLong();
  private final AtomicLong reportedAt;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Starts the background thread.
   *
   * @param nanoTime the time in nanoseconds, from any origin
   * @param flushLimit how long {@link #close} waits for the log, at least 1 ms
   * @param err standard error
   */
  RequestLines(LongSupplier nanoTime, Duration flushLimit, PrintStream err) {
    if (flushLimit.toMillis() < 1) {
      throw new IllegalArgumentException("flushLimit must be at least 1 ms, was " + flushLimit);
    }
    this.nanoTime = nanoTime;
    this.flushLimit = flushLimit;
    this.err = err;
    this.reportedAt = new AtomicLong(nanoTime.getAsLong() - REPORT_INTERVAL.toNanos());
    LoggerContext context = log.getLoggerContext();
    Delivery delivery = new Delivery();
    delivery.setContext(context);
    delivery.start();
    queue.setContext(context);
    queue.setName("request-lines");
    queue.setQueueSize(QUEUE_SIZE);
    // This class drops lines itself, because the appender does not count those that it drops.
    queue.setDiscardingThreshold(0);
    queue.setMaxFlushTime(Math.toIntExact(flushLimit.toMillis()));
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
    if (!isVerified && queue.getRemainingCapacity() < QUEUE_SIZE / 2) {
      dropped.incrementAndGet();
      return;
    }
    LoggingEvent line = new LoggingEvent(CLASS, log, Level.INFO, "request", null, null);
    fields.forEach((name, value) -> line.addKeyValuePair(new KeyValuePair(name, value)));
    send(line);
    long last = reportedAt.get();
    if (nanoTime.getAsLong() - last >= REPORT_INTERVAL.toNanos()
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
              ownLog,
              Level.WARN,
              "{} lines of requests without a verified signature are missing here, because the log"
                  + " was too slow for them; {} since the start",
              null,
              new Object[] {lines, total}));
    }
  }

  // An event that arrives while the queue stops is lost. It counts as sent, but not as written.
  private void send(LoggingEvent event) {
    sent.incrementAndGet();
    if (closed.get()) {
      deliver(event);
    } else {
      queue.doAppend(event);
    }
  }

  /** Passes an event to the appenders of its logger, as the logger itself would. */
  private void deliver(ILoggingEvent event) {
    log.getLoggerContext().getLogger(event.getLoggerName()).callAppenders(event);
    written.incrementAndGet();
  }

  /**
   * Writes the lines that wait, for at most the limit. If the log is too slow, says on standard
   * error how many lines are missing. Later lines are written at once.
   */
  @Override
  public void close() {
    if (closed.get()) {
      return;
    }
    queue.setNeverBlock(true); // the report must not wait for space in the queue
    report();
    queue.stop();
    closed.set(true);
    long missing = sent.get() - written.get();
    if (missing > 0) {
      err.println(
          "countersign: the log lacks "
              + missing
              + " lines of requests, because it did not accept them within "
              + flushLimit.toMillis()
              + " ms while the service stopped");
    }
  }

  private final class Delivery extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      // Lines that were counted as missing stay missing.
      if (!closed.get()) {
        deliver(event);
      }
    }
  }
}
