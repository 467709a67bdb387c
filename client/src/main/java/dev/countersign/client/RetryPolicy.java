package dev.countersign.client;

import java.time.Duration;

/**
 * Limits how often a request is sent before its failure is reported, and sets the waits between
 * attempts. Each wait is a random fraction of a bound that doubles with each attempt. Clients that
 * failed at the same time therefore retry at different times. If the service sends Retry-After (RFC
 * 9110 section 10.2.3), the wait is at least that long.
 *
 * <p>GET, HEAD and OPTIONS requests and all requests with an Idempotency-Key are repeated after a
 * failed connection, a timeout, 429, 503 with any reason except {@code total_unavailable}, and 409
 * with the reason {@code in_progress}.
 *
 * <p>With {@link CountersignClient.Builder#allowClockCorrection()}, a request that was refused
 * because of its time is signed with the service's time and sent again at once. The service did not
 * act on the refused request, so this applies to every method, and even to a policy of one attempt.
 *
 * @param attempts maximum number of attempts, 1 to 100, including the first
 * @param firstDelay bound of the wait before the second attempt
 * @param maximumDelay bound of any wait; if Retry-After is longer, the refusal is reported at once
 */
public record RetryPolicy(int attempts, Duration firstDelay, Duration maximumDelay) {
  private static final RetryPolicy STANDARD =
      new RetryPolicy(4, Duration.ofMillis(250), Duration.ofSeconds(30));

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException when a value is out of its range
   */
  public RetryPolicy {
    if (attempts < 1 || attempts > 100) {
      throw new IllegalArgumentException("attempts must be 1 to 100, was " + attempts);
    }
    if (firstDelay.isNegative() || firstDelay.compareTo(maximumDelay) > 0) {
      throw new IllegalArgumentException(
          "firstDelay must be 0 to maximumDelay " + maximumDelay + ", was " + firstDelay);
    }
  }

  /** Four attempts, with waits of up to 250 ms, 500 ms and 1 s, and a Retry-After of up to 30 s. */
  public static RetryPolicy standard() {
    return STANDARD;
  }

  /** One attempt. */
  public static RetryPolicy none() {
    return STANDARD.withAttempts(1);
  }

  /** Returns a copy with this number of attempts, including the first. */
  public RetryPolicy withAttempts(int attempts) {
    return new RetryPolicy(attempts, firstDelay, maximumDelay);
  }

  /** Returns a copy with this bound for the wait before the second attempt. */
  public RetryPolicy withFirstDelay(Duration firstDelay) {
    return new RetryPolicy(attempts, firstDelay, maximumDelay);
  }

  /** Returns a copy with this bound for any wait. */
  public RetryPolicy withMaximumDelay(Duration maximumDelay) {
    return new RetryPolicy(attempts, firstDelay, maximumDelay);
  }

  /**
   * The wait after this attempt.
   *
   * @param random 0 to 1
   */
  Duration delayAfter(int attempt, double random) {
    double bound = millis(firstDelay) * Math.pow(2, attempt - 1.0);
    return Duration.ofMillis((long) (random * Math.min(bound, millis(maximumDelay))));
  }

  /** Unlike {@link Duration#toMillis()}, does not overflow for a very long delay. */
  private static double millis(Duration delay) {
    return (double) delay.toSeconds() * 1000 + delay.toMillisPart();
  }
}
