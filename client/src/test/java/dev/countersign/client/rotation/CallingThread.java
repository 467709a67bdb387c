package dev.countersign.client.rotation;

import dev.countersign.client.CountersignClient;
import dev.countersign.client.RetryPolicy;
import dev.countersign.client.keys.PrivateKeyFile;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;

/** A client that calls continuously, without retries. */
final class CallingThread implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final CountersignClient client;
  private final AtomicLong answers = new AtomicLong();
  private final List<RuntimeException> failures = new CopyOnWriteArrayList<>();
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(this::call, "calling-client");
  private volatile boolean ended;

  CallingThread(URI base, String clientId, Path keyFile) {
    PrivateKeyFile key = PrivateKeyFile.of(keyFile).withWarnings(warnings::add);
    this.client =
        CountersignClient.builder(base, clientId, key)
            .withRetries(RetryPolicy.none())
            .withTimeout(PATIENCE)
            .build();
  }

  CallingThread start() {
    thread.start();
    return this;
  }

  private void call() {
    while (!ended) {
      try {
        client.get("/wallets", JsonNode.class);
      } catch (RuntimeException e) {
        failures.add(e);
      }
      answers.incrementAndGet();
    }
  }

  /** Waits for a call that started after now. */
  void awaitAnotherCall() throws InterruptedException {
    long wanted = answers.get() + 2;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (answers.get() < wanted) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("no answer within " + PATIENCE);
      }
      Thread.sleep(2);
    }
  }

  long answers() {
    return answers.get();
  }

  List<RuntimeException> failures() {
    return failures;
  }

  List<String> warnings() {
    return warnings;
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
