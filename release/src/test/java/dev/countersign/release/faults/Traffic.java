package dev.countersign.release.faults;

import dev.countersign.release.faults.Caller.Answer;
import dev.countersign.release.faults.Caller.Signed;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The calls of partners during one fault: payments through the balancer, and straight to the nodes
 * the same signed request, at once and later, and the same Idempotency-Key.
 */
final class Traffic implements AutoCloseable {
  /** The age that a node's knowledge of the clients may have. */
  static final Duration REGISTRY_LIMIT = Duration.ofSeconds(6);

  static final String READ = Cluster.PAYMENTS + "?page=0&size=1";

  private static final int WRITERS = 4;
  private static final int RACERS = 2;
  // The executed requests of a run that are sent again after the fault, and those that are kept.
  private static final int SAMPLE = 60;
  private static final int ARCHIVED = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Cluster cluster;
  private final Caller caller;
  private final History history;
  private final String run;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<Boolean>> callers = new ArrayList<>();
  private final List<Signed> sample = Collections.synchronizedList(new ArrayList<>());
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger executed = new AtomicInteger();
  private final AtomicInteger races = new AtomicInteger();
  private final AtomicInteger replays = new AtomicInteger();
  private final AtomicInteger errors = new AtomicInteger();
  private final Queue<String> accepted = new ConcurrentLinkedQueue<>();
  private final AtomicLong longest = new AtomicLong();

  /**
   * Starts the calls.
   *
   * @param run the name of the run, with which the references of its payments begin
   */
  Traffic(Cluster cluster, Caller caller, History history, String run) {
    this.cluster = cluster;
    this.caller = caller;
    this.history = history;
    this.run = run;
    for (int i = 0; i < WRITERS; i++) {
      repeat(this::payThroughBalancer);
    }
    for (int i = 0; i < RACERS; i++) {
      repeat(this::race);
    }
    repeat(this::repeatNonce);
  }

  /** One call or a few that belong together. */
  @FunctionalInterface
  private interface Step {
    void run() throws InterruptedException;
  }

  private void repeat(Step step) {
    callers.add(
        threads.submit(
            () -> {
              while (!isOver.get()) {
                step.run();
                Thread.sleep(random(40, 160));
              }
              return true;
            }));
  }

  private static int random(int from, int to) {
    return ThreadLocalRandom.current().nextInt(from, to);
  }

  /** Returns a reference that no other payment has, and that is not the beginning of another. */
  String newReference() {
    return String.format(Locale.ROOT, "%s-%06d", run, numbers.incrementAndGet());
  }

  private void payThroughBalancer() throws InterruptedException {
    String reference = newReference();
    if (random(0, 4) > 0) {
      pay(cluster.balancer(), reference);
    } else {
      send(cluster.balancer(), caller.pay(reference), reference);
    }
  }

  /**
   * Pays with an Idempotency-Key, and tries again until the payment is acknowledged.
   *
   * @return whether it is; if not, its outcome is unknown, which the history says
   */
  boolean pay(URI to, String reference) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    int refusals = 0;
    int others = 0;
    while (System.nanoTime() < end) {
      Answer answer = send(to, caller.pay(reference, reference), reference);
      if (answer.isCreated()) {
        if (answer.replayed() && refusals > 0 && others == 0) {
          history.contradicted(reference);
        }
        return true;
      }
      boolean isRefusal = answer.isRefusal() && !answer.reason().equals("in_progress");
      refusals += isRefusal ? 1 : 0;
      others += isRefusal ? 0 : 1;
      Thread.sleep(200);
    }
    return false;
  }

  /** Sends a payment of any partner, and records the answer. */
  Answer record(URI to, Signed payment, String reference) throws InterruptedException {
    Answer answer = send(to, payment);
    if (answer.isCreated()) {
      history.acknowledged(reference);
      if (to.equals(cluster.balancer())) {
        history.served();
      }
    } else if (answer.isRefusal()) {
      history.refused(reference);
    } else {
      history.unknown(reference);
    }
    return answer;
  }

  /** Sends a payment of this traffic's partner, and some of those that were executed again. */
  private Answer send(URI to, Signed payment, String reference) throws InterruptedException {
    Answer answer = record(to, payment, reference);
    if (answer.isExecuted()) {
      keep(payment);
      if (random(0, 3) == 0) {
        replay(anyNode(), payment);
      }
    }
    return answer;
  }

  /** Keeps a random sample of the executed requests. */
  private void keep(Signed request) {
    int place = random(0, executed.incrementAndGet());
    synchronized (sample) {
      if (sample.size() < SAMPLE) {
        sample.add(request);
      } else if (place < SAMPLE) {
        sample.set(place, request);
      }
    }
  }

  /** Sends a request; an answer of status 0 stands for none. */
  private Answer send(URI to, Signed request) throws InterruptedException {
    long began = System.nanoTime();
    try {
      Answer answer = caller.send(to, request);
      if (answer.reason().equals("internal_error")) {
        errors.incrementAndGet();
      }
      return answer;
    } catch (IOException lost) {
      return new Answer(0, "", false);
    } finally {
      longest.accumulateAndGet(System.nanoTime() - began, Math::max);
    }
  }

  private URI anyNode() {
    return cluster.nodes().get(random(0, cluster.nodes().size())).url();
  }

  /**
   * Sends a request again that was executed. No node may execute it; one with an Idempotency-Key
   * gets the stored answer. An answer that does not tell whether the node recognizes the copy, such
   * as {@code overloaded}, is not counted.
   */
  private Answer replay(URI node, Signed request) throws InterruptedException {
    Answer answer = send(node, request);
    if (answer.isExecuted()) {
      accepted.add(node + " " + request.headers().get("Signature-Input"));
    }
    if (answer.isExecuted() || answer.isOfACopy()) {
      replays.incrementAndGet();
    }
    return answer;
  }

  /** Sends a sample of the executed requests again, until each node's answer tells. */
  void replaySample() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<Signed> all = List.copyOf(sample);
    for (Signed request : all) {
      while (!replay(anyNode(), request).isOfACopy() && System.nanoTime() < end) {
        Thread.sleep(200);
      }
    }
    all.stream().limit(ARCHIVED).forEach(history::archive);
  }

  /** Sends requests of this and earlier runs to a node; returns the reasons of its refusals. */
  String replayArchive(Node node) throws InterruptedException {
    Map<String, Integer> reasons = new TreeMap<>();
    List<Signed> all = new ArrayList<>(history.archived());
    all.addAll(List.copyOf(sample));
    for (Signed request : all) {
      Answer answer = replay(node.url(), request);
      reasons.merge(answer.replayed() ? "stored_answer" : answer.reason(), 1, Integer::sum);
    }
    return "replays answered with " + reasons;
  }

  private void repeatNonce() throws InterruptedException {
    Signed read = caller.getWithNonce(READ);
    if (send(anyNode(), read).isSuccess()) {
      replay(anyNode(), read);
    }
  }

  /** Sends the same request, or the same Idempotency-Key, to all nodes at once. */
  private void race() throws InterruptedException {
    String reference = newReference();
    boolean isSameRequest = random(0, 2) == 0;
    Signed shared = random(0, 2) == 0 ? caller.pay(reference, reference) : caller.pay(reference);
    List<Callable<Answer>> sends = new ArrayList<>();
    for (Node node : cluster.nodes()) {
      Signed each = isSameRequest ? shared : caller.pay(reference, reference);
      sends.add(() -> send(node.url(), each, reference));
    }
    List<Future<Answer>> answers = threads.invokeAll(sends, PATIENCE.toSeconds(), TimeUnit.SECONDS);
    races.incrementAndGet();
    long executions = answers.stream().map(Future::resultNow).filter(Answer::isExecuted).count();
    if (executions > 1) {
      accepted.add("race " + reference);
    }
  }

  int races() {
    return races.get();
  }

  /** Returns how many requests were sent again, with an answer that tells. */
  int replays() {
    return replays.get();
  }

  /** Returns the requests that were executed a second time. */
  List<String> replaysAccepted() {
    return List.copyOf(accepted);
  }

  /** Returns how many answers were {@code internal_error}. */
  int errors() {
    return errors.get();
  }

  /** Returns the milliseconds of the longest request, answered or not. */
  long longestRequest() {
    return TimeUnit.NANOSECONDS.toMillis(longest.get());
  }

  /** Ends the calls, and waits until the outcome of the last ones is known. */
  @Override
  public void close() throws ExecutionException, TimeoutException {
    isOver.set(true);
    try {
      for (Future<Boolean> each : callers) {
        each.get(PATIENCE.multipliedBy(2).toSeconds(), TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      threads.shutdownNow();
    }
  }
}
