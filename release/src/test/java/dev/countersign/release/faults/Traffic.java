package dev.countersign.release.faults;

import dev.countersign.release.faults.Caller.Answer;
import dev.countersign.release.faults.Caller.Signed;
import dev.countersign.release.faults.Results.Column;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
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
import java.util.stream.Collectors;

/**
 * The calls of partners during one fault: payments through the balancer, and straight to the nodes
 * the same signed request, at once and later, and the same Idempotency-Key.
 */
final class Traffic implements AutoCloseable {
  static final String READ = Cluster.PAYMENTS + "?page=0&size=1";

  // The defaults of countersign.access.maximum-age and maximum-skew.
  private static final Duration MAXIMUM_AGE = Duration.ofSeconds(300);
  private static final Duration MAXIMUM_SKEW = Duration.ofSeconds(30);

  private static final int WRITERS = 4;
  private static final int RACERS = 2;
  // The executed requests of a run that are sent again after the fault, and those that are kept.
  private static final int SAMPLE = 60;
  private static final int ARCHIVED = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  // A request waits for PostgreSQL at most 10 s; the rest is for the connection.
  private static final Duration LIMIT = Duration.ofMillis(10_500);

  private final Cluster cluster;
  private final Caller caller;
  private final History history;
  private final String run;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<Boolean>> callers = new ArrayList<>();
  private final List<Signed> sample = Collections.synchronizedList(new ArrayList<>());
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger executed = new AtomicInteger();
  private final AtomicInteger races = new AtomicInteger();
  private final AtomicInteger replays = new AtomicInteger();
  private final AtomicInteger errors = new AtomicInteger();
  private final AtomicInteger unresolved = new AtomicInteger();
  private final AtomicInteger slow = new AtomicInteger();
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
      if (!pay(cluster.balancer(), reference)) {
        unresolved.incrementAndGet();
      }
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

  /** Sends a request of any partner; an answer of status 0 stands for none. */
  Answer send(URI to, Signed request) throws InterruptedException {
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
      note(to, began, System.nanoTime() - began);
    }
  }

  /** Notes the time of a request, unless it may have waited at a node that was frozen. */
  private void note(URI to, long began, long took) {
    boolean isHeld =
        cluster.nodes().stream()
            .filter(node -> node.url().equals(to) || to.equals(cluster.balancer()))
            .anyMatch(node -> node.wasFrozenSince(began));
    if (!isHeld) {
      longest.accumulateAndGet(took, Math::max);
      if (took > LIMIT.toNanos()) {
        slow.incrementAndGet();
      }
    }
  }

  private URI anyNode() {
    return cluster.nodes().get(random(0, cluster.nodes().size())).url();
  }

  /**
   * Sends a request again that was executed. No node may execute it; one with an Idempotency-Key
   * gets the stored answer. Any other answer than that and {@code replayed} says nothing about the
   * recognition of copies, and is not counted.
   */
  private Answer replay(URI node, Signed request) throws InterruptedException {
    Answer answer = send(node, request);
    if (answer.isExecuted()) {
      accepted.add(node + " " + request.headers().get("Signature-Input"));
    }
    if (answer.isExecuted() || answer.isRecognizedCopy()) {
      replays.incrementAndGet();
    }
    return answer;
  }

  /** Sends a sample of the executed requests to every node again, until each recognizes them. */
  void replaySample() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<Signed> all = List.copyOf(sample);
    for (Signed request : all) {
      for (Node node : cluster.nodes()) {
        while (!replay(node.url(), request).isRecognizedCopy()) {
          if (System.nanoTime() > end) {
            throw new IllegalStateException(node.name() + " does not recognize copies");
          }
          Thread.sleep(200);
        }
      }
    }
    all.stream().limit(ARCHIVED).forEach(history::archive);
  }

  /**
   * Sends executed requests to a node whose clock has just been shifted, those first that are
   * acceptable by its clock.
   *
   * @return how many there were, and the reasons of the refusals
   */
  String replayTo(Node node, Duration shift) throws InterruptedException {
    Instant nodesNow = Instant.now().plus(shift);
    List<Signed> all = new ArrayList<>(history.archived());
    all.addAll(List.copyOf(sample));
    Map<Boolean, List<Signed>> acceptable =
        all.stream()
            .collect(
                Collectors.partitioningBy(
                    request ->
                        request.created().isAfter(nodesNow.minus(MAXIMUM_AGE))
                            && request.created().isBefore(nodesNow.plus(MAXIMUM_SKEW))));
    Map<String, Long> reasons = new TreeMap<>();
    for (boolean first : new boolean[] {true, false}) {
      List<Callable<Answer>> sends = new ArrayList<>();
      for (Signed request : acceptable.get(first)) {
        sends.add(() -> replay(node.url(), request));
      }
      for (Future<Answer> each : threads.invokeAll(sends, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        Answer answer = each.resultNow();
        reasons.merge(answer.replayed() ? "stored_answer" : answer.reason(), 1L, Long::sum);
      }
    }
    return acceptable.get(true).size() + " replays acceptable by its clock, answers " + reasons;
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

  /** Adds what was measured. */
  void addTo(Map<Column, Long> values) {
    accepted.forEach(request -> System.out.println("EXECUTED AGAIN " + request));
    values.put(Column.REPLAYS, replays.longValue());
    values.put(Column.EXECUTED_AGAIN, (long) accepted.size());
    values.put(Column.RACES, races.longValue());
    values.put(Column.UNRESOLVED, unresolved.longValue());
    values.put(Column.INTERNAL_ERRORS, errors.longValue());
    values.put(Column.TOO_SLOW, slow.longValue());
    values.put(Column.REQUEST, TimeUnit.NANOSECONDS.toMillis(longest.get()));
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
