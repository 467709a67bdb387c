package dev.countersign.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Handles Ctrl-C, SIGTERM or a closed terminal: interrupts the command and gives it a few seconds
 * to end its output properly. The Java virtual machine then exits with 128 plus the signal's
 * number. {@link #getAsBoolean} returns whether there was such a signal.
 */
public final class Interruption implements BooleanSupplier {
  private static final long GRACE_SECONDS = 10;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread commandThread;
  private volatile boolean signalled;

  private Interruption(Thread commandThread) {
    this.commandThread = commandThread;
  }

  /** Begins to handle signals for the command that the current thread is about to run. */
  public static Interruption watch() {
    Interruption interruption = new Interruption(Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(new Thread(interruption::interrupt, "interruption"));
    return interruption;
  }

  @Override
  public boolean getAsBoolean() {
    return signalled;
  }

  /** Records that the command has completed and will print no more. */
  public void markEnded() {
    ended.countDown();
  }

  private void interrupt() {
    if (ended.getCount() == 0) {
      return;
    }
    signalled = true;
    commandThread.interrupt();
    try {
      if (!ended.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
        commandThread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
