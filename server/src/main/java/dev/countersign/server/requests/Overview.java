package dev.countersign.server.requests;

import dev.countersign.protocol.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What requests there were in a period, all of them counted, also those without a record. It is up
 * to ten seconds behind.
 *
 * @param points one for each step, the oldest first, also where there was nothing
 * @param refusals by their reason, most frequent first
 * @param latency of all verified requests of the period; null where there were none
 * @param busiest the ten clients with the most requests, counted in whole spans of ten minutes,
 *     three hours or a day, so that up to one such span from before the period counts as well
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
   * @param length how much of it is over: less than a step for the last one
   * @param accepted how many requests were not refused
   * @param refused how many were
   * @param latency of the verified ones; null where there were none
   */
  public record Point(
      Instant start, Duration length, long accepted, long refused, @Nullable Latency latency) {

    public double acceptedAMinute() {
      return aMinute(accepted);
    }

    public double refusedAMinute() {
      return aMinute(refused);
    }

    private double aMinute(long count) {
      return count * 60.0 / Math.max(1, length.toSeconds());
    }
  }

  /**
   * How long verified requests took, within five percent. What strangers are refused takes next to
   * no time, so it is left out: a flood would make the service look fast.
   *
   * @param p50 half took no longer
   * @param p99 of a hundred, one took longer
   */
  public record Latency(Duration p50, Duration p99) {}

  /** How many requests named this client and came from its network, and how many were refused. */
  public record ClientCount(String clientId, long requests, long refused) {}
}
