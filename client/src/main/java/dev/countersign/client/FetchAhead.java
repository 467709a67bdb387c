package dev.countersign.client;

import java.lang.ref.Cleaner;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Fetches at most one page while the caller processes the previous page. */
final class FetchAhead {
  private final boolean enabled;
  private final AtomicReference<@Nullable FutureTask<FetchedPage>> pending =
      new AtomicReference<>();
  private volatile boolean closed;

  private FetchAhead(boolean enabled) {
    this.enabled = enabled;
  }

  /** Fetches each page only when it is needed. */
  static FetchAhead none() {
    return new FetchAhead(false);
  }

  /** Fetches ahead on a separate thread, and stops when the walk is garbage-collected. */
  static FetchAhead of(PageIterator<?> owner) {
    FetchAhead ahead = new FetchAhead(true);
    Abandoned.CLEANER.register(owner, ahead::close);
    return ahead;
  }

  /** Holds the thread that notices unreachable walks; created when first needed. */
  private static final class Abandoned {
    static final Cleaner CLEANER = Cleaner.create();
  }

  void begin(Supplier<FetchedPage> fetch) {
    if (!enabled || closed) {
      return;
    }
    FutureTask<FetchedPage> task = new FutureTask<>(fetch::get);
    pending.set(task);
    Thread thread = new Thread(task, "countersign-fetch-ahead");
    thread.setDaemon(true);
    thread.start();
    if (closed) {
      // Another thread may have closed the walk before the task was pending.
      cancelPending();
    }
  }

  /** Returns the page that was fetched ahead, or fetches it now. */
  FetchedPage take(Supplier<FetchedPage> fetch) {
    FutureTask<FetchedPage> task = pending.get();
    if (task == null) {
      if (closed) {
        throw closed(null);
      }
      return fetch.get();
    }
    try {
      // The task stays pending, so that another thread can cancel it by closing the walk.
      return resultOf(task);
    } finally {
      pending.set(null);
    }
  }

  private static FetchedPage resultOf(FutureTask<FetchedPage> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      task.cancel(true);
      Thread.currentThread().interrupt();
      throw new CountersignException("interrupted", "the thread was interrupted", 1, e);
    } catch (CancellationException e) {
      throw closed(e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    }
  }

  private static CountersignException closed(@Nullable CancellationException cause) {
    return new CountersignException("interrupted", "the walk was closed", 1, cause);
  }

  /** Cancels the fetch in progress and allows no further ones. Any thread may call this. */
  void close() {
    closed = true;
    cancelPending();
  }

  boolean isClosed() {
    return closed;
  }

  private void cancelPending() {
    FutureTask<FetchedPage> task = pending.getAndSet(null);
    if (task != null) {
      task.cancel(true);
    }
  }
}
