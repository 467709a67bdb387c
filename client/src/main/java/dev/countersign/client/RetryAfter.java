package dev.countersign.client;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reads how long a service asks the client to wait (RFC 9110 section 10.2.3). */
final class RetryAfter {
  /** RFC 9111 section 1.2.2 has this bound for numbers of seconds. It is 68 years. */
  private static final long MAX_SECONDS = 1L << 31;

  private RetryAfter() {}

  /**
   * The time to wait from now; empty if the answer has no Retry-After or it cannot be read.
   *
   * @param request the request as it was sent; its Date is the time of our clock
   */
  static Optional<Duration> of(HttpRequest request, HttpResponse<?> response) {
    return response
        .headers()
        .firstValue("retry-after")
        .map(String::strip)
        .flatMap(value -> seconds(value).or(() -> until(value, request, response)));
  }

  private static Optional<Duration> seconds(String value) {
    if (!value.matches("[0-9]+")) {
      return Optional.empty();
    }
    boolean isLarge = !value.matches("0*[0-9]{1,10}");
    return Optional.of(
        Duration.ofSeconds(isLarge ? MAX_SECONDS : Math.min(MAX_SECONDS, Long.parseLong(value))));
  }

  /** Counts from the service's Date if it sends one, because our clock may be wrong. */
  private static Optional<Duration> until(
      String date, HttpRequest request, HttpResponse<?> response) {
    Optional<Instant> now =
        ClockSkew.date(response.headers()).or(() -> ClockSkew.date(request.headers()));
    return now.flatMap(from -> ReceivedDate.parse(date).map(then -> Duration.between(from, then)))
        .map(wait -> wait.isNegative() ? Duration.ZERO : wait);
  }
}
