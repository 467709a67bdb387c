package dev.countersign.server;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/** The lines that a class or a package logs, from {@link #of} until {@link #close}. */
public final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger logger;
  private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

  private LogCapture(Logger logger) {
    this.logger = logger;
  }

  public static LogCapture of(Class<?> source) {
    return of(source.getName());
  }

  /** Captures the lines of a class, or of all classes of a package and those below it. */
  public static LogCapture of(String source) {
    LogCapture capture = new LogCapture((Logger) LoggerFactory.getLogger(source));
    capture.setContext(capture.logger.getLoggerContext());
    capture.start();
    capture.logger.addAppender(capture);
    return capture;
  }

  @Override
  protected void append(ILoggingEvent event) {
    // Otherwise, an event takes the thread that first asks for its thread.
    event.prepareForDeferredProcessing();
    events.add(event);
  }

  /** The messages so far. None of them may have a stack trace. */
  public List<String> lines() {
    return lines(event -> true);
  }

  /**
   * The messages that the calling thread has logged so far. Other threads of this JVM's services
   * may log that they were delayed.
   */
  public List<String> linesOfThisThread() {
    String name = Thread.currentThread().getName();
    return lines(event -> event.getThreadName().equals(name));
  }

  private List<String> lines(Predicate<ILoggingEvent> which) {
    return events.stream()
        .filter(which)
        .map(
            event ->
                event.getFormattedMessage()
                    + (event.getThrowableProxy() == null ? "" : " (with a stack trace)"))
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
