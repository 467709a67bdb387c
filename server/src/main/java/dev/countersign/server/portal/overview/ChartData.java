package dev.countersign.server.portal.overview;

import dev.countersign.server.requests.statistics.Overview;
import dev.countersign.server.requests.statistics.Overview.Latency;
import dev.countersign.server.requests.statistics.Overview.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the charts, for the page's script.
 *
 * @param times the start of each step (RFC 3339)
 * @param accepted accepted requests per minute
 * @param refused refused requests per minute
 * @param p50 the median latency of verified requests in milliseconds; null if there were none
 * @param p99 the 99th percentile of the same latencies
 * @param refusals the number of refusals by reason
 * @param totals the numbers above the charts
 */
record ChartData(
    List<String> times,
    List<Double> accepted,
    List<Double> refused,
    List<@Nullable Double> p50,
    List<@Nullable Double> p99,
    Map<String, Long> refusals,
    Totals totals) {

  /**
   * The totals of the period: numbers of requests, and latencies in milliseconds, which are null if
   * there was no verified request.
   */
  record Totals(long accepted, long refused, @Nullable Double p50, @Nullable Double p99) {}

  static ChartData of(Overview overview) {
    Map<String, Long> refusals = new LinkedHashMap<>();
    overview.refusals().forEach((reason, count) -> refusals.put(reason.word(), count));
    Latency all = overview.latency();
    return new ChartData(
        overview.points().stream().map(Point::start).map(Instant::toString).toList(),
        overview.points().stream().map(Point::acceptedPerMinute).toList(),
        overview.points().stream().map(Point::refusedPerMinute).toList(),
        milliseconds(overview, Latency::p50),
        milliseconds(overview, Latency::p99),
        refusals,
        new Totals(
            overview.accepted(),
            overview.refused(),
            all == null ? null : milliseconds(all.p50()),
            all == null ? null : milliseconds(all.p99())));
  }

  private static List<@Nullable Double> milliseconds(
      Overview overview, Function<Latency, Duration> percentile) {
    List<@Nullable Double> values = new ArrayList<>();
    for (Point point : overview.points()) {
      Latency latency = point.latency();
      values.add(latency == null ? null : milliseconds(percentile.apply(latency)));
    }
    return values;
  }

  private static double milliseconds(Duration duration) {
    return Math.round(duration.toNanos() / 10_000.0) / 100.0;
  }
}
