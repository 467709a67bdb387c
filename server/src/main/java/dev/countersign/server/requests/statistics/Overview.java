package dev.countersign.server.requests.statistics;

import dev.countersign.protocol.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a period. Every request counts, including those without a record. The numbers are
 * up to ten seconds late.
 *
 * @param points one per step, oldest first, including steps without requests
 * @param refusals the number of refused requests by reason, most frequent first
 * @param latency the latency of all verified requests of the period; null if there were none
 * @param busiest the ten clients with the most requests. Their requests are counted in whole spans
 *     of ten minutes, three hours or a day, so up to one span before the period may be included
 */
public record Overview(
    Period period,
    List<Point> points,
    Map<Reason, Long> refusals,
    @Nullable Latency latency,
    List<ClientCount> busiest) {

  public Overview {
    points = List.copyOf(points);
    busiest = List.copyOf(busiest);
  }

  public long accepted() {
    return points.stream().mapToLong(Point::accepted).sum();
  }

  public long refused() {
    return points.stream().mapToLong(Point::refused).sum();
  }

  /**
   * The requests of one step.
   *
   * @param start when the step began
   * @param length the elapsed part of the step: shorter than a step only for the last one
   * @param accepted the number of requests that were not refused
   * @param refused the number of refused requests
   * @param latency the latency of the verified requests; null if there were none
   */
  public record Point(
      Instant start, Duration length, long accepted, long refused, @Nullable Latency latency) {

    public double acceptedPerMinute() {
      return perMinute(accepted);
    }

    public double refusedPerMinute() {
      return perMinute(refused);
    }

    private double perMinute(long count) {
      return count * 60.0 / Math.max(1, length.toSeconds());
    }
  }

  /**
   * The latency of verified requests, within five percent. Refusing an anonymous request takes
   * almost no time, so only verified requests count: otherwise a flood would make the service look
   * fast.
   *
   * @param p50 the median
   * @param p99 the 99th percentile
   */
  public record Latency(Duration p50, Duration p99) {}

  /**
   * The number of requests that named this client and came from its network, and how many of them
   * were refused.
   */
  public record ClientCount(String clientId, long requests, long refused) {}
}
