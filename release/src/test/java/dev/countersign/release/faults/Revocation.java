package dev.countersign.release.faults;

import dev.countersign.release.faults.Caller.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client that reads and pays at all nodes without a pause, and is disabled. It measures how long
 * the nodes still serve it: by the arrival of its answers, because a node looks at a client again
 * before it answers.
 */
final class Revocation implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Cluster cluster;
  private final Caller client;
  private final Traffic traffic;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<Boolean>> callers = new ArrayList<>();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final Set<Node> served = ConcurrentHashMap.newKeySet();
  private final AtomicLong lastServed = new AtomicLong(System.nanoTime());
  private volatile long disabledAt;

  private Revocation(Cluster cluster, Caller client, Traffic traffic) {
    this.cluster = cluster;
    this.client = client;
    this.traffic = traffic;
  }

  /** Lets the client call, and waits until every node has served it. */
  static Revocation begin(Cluster cluster, Caller client, Traffic traffic)
      throws InterruptedException {
    Revocation revocation = new Revocation(cluster, client, traffic);
    for (Node node : cluster.nodes()) {
      revocation.callers.add(revocation.threads.submit(() -> revocation.call(node)));
    }
    Programs.await(
        "every node to serve " + client.clientId(),
        () -> revocation.served.containsAll(cluster.nodes()));
    return revocation;
  }

  /** Disables the client with the operator's command, and notes when the command has ended. */
  void disable() throws InterruptedException {
    cluster.disable(client);
    disabledAt = System.nanoTime();
  }

  /**
   * Ends the calls.
   *
   * @return the milliseconds from the end of the command to the latest answer that served the
   *     client; 0 if there was none
   */
  long end() throws InterruptedException, ExecutionException, TimeoutException {
    isOver.set(true);
    for (Future<Boolean> caller : callers) {
      caller.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, lastServed.get() - disabledAt));
  }

  private boolean call(Node node) throws InterruptedException {
    for (int i = 0; !isOver.get(); i++) {
      Answer answer;
      if (i % 4 > 0) {
        answer = traffic.send(node.url(), client.get(Traffic.READ));
      } else {
        String reference = traffic.newReference();
        answer = traffic.record(node.url(), client.pay(reference), reference);
      }
      if (answer.isSuccess()) {
        lastServed.accumulateAndGet(System.nanoTime(), Math::max);
        served.add(node);
      }
      Thread.sleep(50);
    }
    return true;
  }

  @Override
  public void close() {
    isOver.set(true);
    threads.shutdownNow();
  }
}
