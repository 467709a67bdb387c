package dev.countersign.client.rotation;

import dev.countersign.client.CountersignClient;
import dev.countersign.client.RetryPolicy;
import dev.countersign.client.keys.PrivateKeyFile;
import dev.countersign.testing.Waits;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** A client that calls continuously, without retries. */
final class CallingThread implements AutoCloseable {
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
            .withTimeout(Waits.LIMIT)
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
  void awaitAnotherCall() {
    long wanted = answers.get() + 2;
    // Two calls in a row, each of which may take as long as a wait.
    Awaitility.await().atMost(Waits.LIMIT.multipliedBy(2)).until(() -> answers.get() >= wanted);
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
      Waits.forEnd(thread);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
