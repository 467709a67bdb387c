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
 * Tells whether this node may serve requests. The node must not serve requests if its registry of
 * the clients is stale, because a client may have been disabled since, or if its clock is wrong.
 *
 * <p>The registry is stale if its age exceeds a limit. The age counts from the start of the last
 * complete round. In a complete round, the node confirms that its store is current and reads all
 * changes of the clients. A monotonic clock measures the age, so a step of the wall clock does not
 * change it.
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
   * Creates the fitness of a node that has not completed a round yet.
   *
   * @param limit the age above which the registry is stale
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
   * Records that a round is complete: the registry has all changes up to the start of the round.
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
   * Returns the start of the last complete round, by {@link #now}. The registry has all changes up
   * to this time. Call this method before reading the registry: what is read afterwards is at least
   * as recent.
   */
  public long asOf() {
    return asOf.get();
  }

  /** Returns the age of the registry; more than the limit before the first complete round. */
  public Duration age() {
    return Duration.ofNanos(now() - asOf());
  }

  /**
   * Checks whether the registry is stale, and returns the result. Logs when the registry becomes
   * stale, except before the first complete round.
   */
  public boolean checkStaleness() {
    Duration age = age();
    boolean isStale = age.compareTo(limit) > 0;
    if (isStale && wasFresh.get() && staleness.raise()) {
      LOG.warn(
          "requests are refused as registry_stale: for {} s, this node has not been able to commit"
              + " its heartbeat and read the clients; the limit is {} s"
              + " (access.registry-limit)",
          age.toSeconds(),
          limit.toSeconds());
    }
    return isStale;
  }

  /**
   * Checks that the registry is not stale.
   *
   * @throws DeniedException {@link Reason#REGISTRY_STALE}
   */
  void requireFresh() {
    if (checkStaleness()) {
      throw refusal(age());
    }
  }

  /**
   * Checks that the registry is not stale, and that the client of a request, as read from the
   * registry earlier, is not stale either. If the state of the registry from which it was read is
   * too old by now, the client must be unchanged.
   *
   * @param registryAsOf the result of {@link #asOf} just before the client was read
   * @param isUnchanged tells whether the registry still has the same client
   * @throws DeniedException {@link Reason#REGISTRY_STALE}
   */
  void requireFresh(long registryAsOf, BooleanSupplier isUnchanged) {
    requireFresh();
    Duration age = Duration.ofNanos(now() - registryAsOf);
    if (age.compareTo(limit) > 0 && !isUnchanged.getAsBoolean()) {
      throw refusal(age);
    }
  }

  private DeniedException refusal(Duration age) {
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
   * @param fault the detail of refusals, which says how far the clock is wrong; null if the clock
   *     can be trusted
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

  /** Returns whether the node may serve requests. Logs as {@link #checkStaleness} does. */
  public boolean isFit() {
    return !checkStaleness() && clockFault.get() == null;
  }
}
