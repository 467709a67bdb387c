package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.store.Alarm;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether this node may serve requests. It may not if its knowledge of the clients is too
 * old, because a client may have been disabled since, or if its clock is wrong.
 *
 * <p>The age of the knowledge is counted from the start of the last round in which the node showed
 * that its store is current, and read the changes. It is measured with a monotonic clock, so a step
 * of the wall clock does not change it.
 */
public final class NodeFitness {
  private static final Logger LOG = LoggerFactory.getLogger(NodeFitness.class);

  private final Duration limit;
  private final LongSupplier ticker;
  private final AtomicLong asOf;
  private final AtomicBoolean wasFresh = new AtomicBoolean();
  private final Alarm staleness = new Alarm();
  private final AtomicReference<@Nullable String> clockFault = new AtomicReference<>();

  /**
   * Creates the fitness of a node that has no knowledge yet.
   *
   * @param limit the age beyond which knowledge is stale
   * @param ticker a monotonic clock in nanoseconds, such as {@link System#nanoTime}
   */
  public NodeFitness(Duration limit, LongSupplier ticker) {
    this.limit = limit;
    this.ticker = ticker;
    this.asOf = new AtomicLong(ticker.getAsLong() - limit.toNanos() - 1);
  }

  /** Returns the present time of the monotonic clock, in nanoseconds. */
  public long now() {
    return ticker.getAsLong();
  }

  /**
   * Records a complete round.
   *
   * @param start when the round started, by {@link #now}
   */
  public void roundCompleted(long start) {
    asOf.accumulateAndGet(start, (one, other) -> one - other > 0 ? one : other);
    if (now() - asOf() <= limit.toNanos()) {
      wasFresh.set(true);
      if (staleness.clear().isPresent()) {
        LOG.info("resolved: the clients are up to date, and requests are served again");
      }
    }
  }

  /**
   * Returns the time of the present knowledge, by {@link #now}. A caller that uses the knowledge
   * asks for its time first.
   */
  public long asOf() {
    return asOf.get();
  }

  /** Returns the age of the present knowledge. */
  public Duration age() {
    return Duration.ofNanos(now() - asOf());
  }

  /**
   * Returns whether the knowledge is older than the limit. Logs the first time that it is, except
   * before the first complete round.
   */
  public boolean isStale() {
    Duration age = age();
    boolean isStale = age.compareTo(limit) > 0;
    if (isStale && wasFresh.get() && staleness.raise()) {
      LOG.warn(
          "requests are refused as registry_stale: for {} s, this node could not commit its"
              + " heartbeat and read the clients; the limit is {} s (access.registry-limit)",
          age.toSeconds(),
          limit.toSeconds());
    }
    return isStale;
  }

  /**
   * Checks that the knowledge is not stale.
   *
   * @throws DeniedException {@link Reason#REGISTRY_STALE}
   */
  void requireKnowledge() {
    if (isStale()) {
      throw stale(age());
    }
  }

  /**
   * Checks that neither the knowledge nor what a request took from it is stale.
   *
   * @param taken the time of the knowledge that the request used
   * @param unchanged tells whether the present knowledge says the same
   * @throws DeniedException {@link Reason#REGISTRY_STALE}
   */
  void requireKnowledge(long taken, BooleanSupplier unchanged) {
    requireKnowledge();
    Duration age = Duration.ofNanos(now() - taken);
    if (age.compareTo(limit) > 0 && !unchanged.getAsBoolean()) {
      throw stale(age);
    }
  }

  private DeniedException stale(Duration age) {
    return Denial.of(
            Reason.REGISTRY_STALE,
            "this node read the clients "
                + age.toSeconds()
                + " s ago, and the limit is "
                + limit.toSeconds()
                + " s; try again")
        .withHeader("Retry-After", "1")
        .asException();
  }

  /**
   * Sets whether the node's clock can be trusted.
   *
   * @param fault how far the clock is wrong, for callers; null if it can be trusted
   */
  public void setClockFault(@Nullable String fault) {
    clockFault.set(fault);
  }

  /**
   * Checks that the node's clock can be trusted.
   *
   * @throws DeniedException {@link Reason#CLOCK_WRONG}
   */
  void requireClock() {
    String fault = clockFault.get();
    if (fault != null) {
      throw Denial.of(Reason.CLOCK_WRONG, fault).withHeader("Retry-After", "1").asException();
    }
  }

  /** Returns whether the node may serve requests. */
  public boolean isFit() {
    return !isStale() && clockFault.get() == null;
  }
}
