package dev.countersign.client;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reads how long a service asks the client to wait (RFC 9110 section 10.2.3). */
final class RetryAfter {
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
    // Nine digits of seconds are over thirty years; more digits might overflow.
    return value.matches("[0-9]{1,9}")
        ? Optional.of(Duration.ofSeconds(Long.parseLong(value)))
        : Optional.empty();
  }

  /** Counts from the service's Date if it sends one, because our clock may be wrong. */
  private static Optional<Duration> until(
      String date, HttpRequest request, HttpResponse<?> response) {
    Optional<Instant> now =
        ClockSkew.date(response.headers()).or(() -> ClockSkew.date(request.headers()));
    return now.flatMap(from -> ClockSkew.instant(date).map(then -> Duration.between(from, then)))
        .map(wait -> wait.isNegative() ? Duration.ZERO : wait);
  }
}
