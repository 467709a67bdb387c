package dev.countersign.server.nodes;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.store.Alarm;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the clock of this node with the clocks of the database and of the other nodes.
 *
 * <p>A node whose clock differs by more than 2 s from the database logs that. It does not log a
 * difference of another node's clock, which the portal shows. A node whose clock differs by more
 * than the limit from the database and also from most other nodes does not serve requests: it would
 * accept signatures that are too old. If only the database differs, its clock is the one that is
 * wrong. A node without other nodes serves in any case, because nothing tells which of the two
 * clocks is wrong.
 */
final class ClockComparison {
  private static final Logger LOG = LoggerFactory.getLogger(ClockComparison.class);

  private final Duration limit;
  private final NodeFitness fitness;
  private final Alarm differenceAlarm = new Alarm();
  private final Alarm wrongClockAlarm = new Alarm();

  /**
   * Creates a comparison.
   *
   * @param limit the difference above which the node does not serve, such as {@code
   *     access.maximum-skew}; at least 2 s
   */
  ClockComparison(Duration limit, NodeFitness fitness) {
    this.limit = limit.compareTo(ServiceNode.CLOCK_WARNING) > 0 ? limit : ServiceNode.CLOCK_WARNING;
    this.fitness = fitness;
  }

  /**
   * Compares the clocks.
   *
   * @param own the reading of this node
   * @param others the readings of all other running nodes
   */
  void compare(ClockReading own, List<ClockReading> others) {
    warn(own, others);
    long disagreeing = countDisagreeing(own, others, limit);
    boolean isWrong = own.exceeds(limit) && 2 * disagreeing > others.size();
    fitness.setClockFault(
        isWrong
            ? "the clock of this node is "
                + seconds(own.difference())
                + " from the database and from most other nodes; try again"
            : null);
    if (isWrong) {
      if (wrongClockAlarm.raise()) {
        LOG.error(
            "requests are refused as clock_wrong: the clock is {} from the database, and more than"
                + " {} from {} of {} other nodes; synchronize it by NTP",
            seconds(own.difference()),
            seconds(limit),
            disagreeing,
            others.size());
      }
    } else if (wrongClockAlarm.clear().isPresent()) {
      LOG.info("resolved: the clock is right, and requests are served again");
    }
  }

  private void warn(ClockReading own, List<ClockReading> others) {
    if (own.exceeds(ServiceNode.CLOCK_WARNING)) {
      if (differenceAlarm.raise()) {
        LOG.warn(
            "the clock of this node is {} from the database's clock, and more than {} from {} of"
                + " {} other nodes; synchronize the clocks by NTP",
            seconds(own.difference()),
            seconds(ServiceNode.CLOCK_WARNING),
            countDisagreeing(own, others, ServiceNode.CLOCK_WARNING),
            others.size());
      }
    } else if (differenceAlarm.clear().isPresent()) {
      LOG.info("resolved: the clock of this node agrees with the database and the other nodes");
    }
  }

  private static long countDisagreeing(
      ClockReading own, List<ClockReading> others, Duration bound) {
    return others.stream().filter(other -> own.minus(other).exceeds(bound)).count();
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }
}
