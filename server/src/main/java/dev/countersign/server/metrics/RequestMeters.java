package dev.countersign.server.metrics;

import dev.countersign.protocol.Check;
import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.RequestObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Counts the requests and measures how long they take.
 *
 * <p>The values of all labels come from short lists, so that callers cannot add time series: a path
 * that is not a route, and a method that is not common, count as {@code other}.
 */
final class RequestMeters implements RequestObserver {
  private static final String OTHER = "other";
  private static final String NONE = "none";
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(20),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(200),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(2),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
  };

  private final List<String> routes;
  private final MeterProvider<Counter> requests;
  private final MeterProvider<Timer> durations;

  /**
   * Creates the meters.
   *
   * @param routes the paths that are served, without the key of a record
   */
  RequestMeters(MeterRegistry registry, List<String> routes) {
    this.routes = List.copyOf(routes);
    this.requests =
        Counter.builder("countersign.requests")
            .description("Completed requests")
            .withRegistry(registry);
    this.durations =
        Timer.builder("countersign.request.duration")
            .description("The time from the first byte of a request to the end of its answer")
            .serviceLevelObjectives(BUCKETS)
            .withRegistry(registry);
  }

  @Override
  public void completed(CompletedRequest request) {
    Tags tags =
        Tags.of(
            "route",
            route(request.path()),
            "method",
            METHODS.contains(request.method()) ? request.method() : OTHER);
    durations.withTags(tags).record(request.duration());
    requests
        .withTags(
            tags.and(
                "status",
                String.valueOf(request.status()),
                "reason",
                request.reason() == null ? NONE : request.reason().word(),
                "check",
                Optional.ofNullable(request.checks().refusedBy()).map(Check::word).orElse(NONE)))
        .increment();
  }

  /** Returns the route of a path: a listing and its records have the same route. */
  private String route(String path) {
    return routes.stream()
        .filter(route -> path.equals(route) || path.startsWith(route + "/"))
        .findFirst()
        .orElse(OTHER);
  }
}
