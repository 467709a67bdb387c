package dev.countersign.client;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Shuts down an {@link HttpClient} through methods that Java 21 added, but not before all exchanges
 * have completed: an exchange may still send requests. On older versions, the methods that shut
 * down or wait do nothing, and those with a result return false.
 */
final class HttpClientShutdown {
  private static final boolean IS_SUPPORTED = method("shutdown").isPresent();

  private final HttpClient client;
  private int exchanges;
  private boolean requested;

  HttpClientShutdown(HttpClient client) {
    this.client = client;
  }

  /**
   * Counts an exchange that begins. The caller must call {@link #end} when it has completed.
   *
   * @throws IOException after a shutdown
   */
  synchronized void begin() throws IOException {
    if (requested) {
      throw new IOException("the client is shut down");
    }
    exchanges++;
  }

  /** Counts an exchange that has completed. */
  synchronized void end() {
    exchanges--;
    notifyAll();
    shutDownIfIdle();
  }

  /** Refuses new exchanges, and shuts the client down when the last exchange has completed. */
  synchronized void shutdown() {
    requested = IS_SUPPORTED;
    shutDownIfIdle();
  }

  private void shutDownIfIdle() {
    if (requested && exchanges == 0) {
      call("shutdown");
    }
  }

  /** Refuses new exchanges, and cancels those in progress. */
  void shutdownNow() {
    synchronized (this) {
      requested = IS_SUPPORTED;
    }
    call("shutdownNow");
  }

  /**
   * Refuses new exchanges, waits for those in progress, and closes the client. If the thread is
   * interrupted, cancels the exchanges and continues to wait, as {@code HttpClient.close} does.
   */
  void close() {
    boolean interrupted = awaitExchanges();
    call("close");
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether the thread was interrupted. */
  private synchronized boolean awaitExchanges() {
    requested = IS_SUPPORTED;
    boolean interrupted = false;
    while (requested && exchanges > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
        call("shutdownNow");
      }
    }
    return interrupted;
  }

  boolean isTerminated() {
    return Boolean.TRUE.equals(call("isTerminated"));
  }

  boolean awaitTermination(Duration duration) throws InterruptedException {
    Optional<Method> method = method("awaitTermination", Duration.class);
    try {
      return method.isPresent() && Boolean.TRUE.equals(method.get().invoke(client, duration));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof InterruptedException interrupted) {
        throw interrupted;
      }
      throw failure(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable Object call(String name) {
    Optional<Method> method = method(name);
    try {
      return method.isPresent() ? method.get().invoke(client) : null;
    } catch (InvocationTargetException e) {
      throw failure(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RuntimeException failure(InvocationTargetException e) {
    return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
  }

  private static Optional<Method> method(String name, Class<?>... parameters) {
    try {
      return Optional.of(HttpClient.class.getMethod(name, parameters));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }
}
