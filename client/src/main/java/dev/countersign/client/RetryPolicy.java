package dev.countersign.client;

import java.time.Duration;

/**
 * How often a request is sent before its failure is the caller's, and how long the waits between
 * are. A wait is a random part of a bound that doubles with each attempt, so that clients which
 * failed together do not come back together; a service that says Retry-After (RFC 9110 section
 * 10.2.3) is waited for as long as it says.
 *
 * <p>Sent again are GET, HEAD and OPTIONS, and any request with an Idempotency-Key: after a failed
 * connection, a timeout, 429 and 503. Where the clock may be corrected, a request that was refused
 * for its time is sent once more at once, whatever its method and even under a policy of one
 * attempt, because it was not done.
 *
 * @param attempts how often at most, 1 to 100, the first included
 * @param firstDelay bound of the wait before the second attempt
 * @param maximumDelay bound of any wait; a Retry-After beyond it is not waited for
 */
public record RetryPolicy(int attempts, Duration firstDelay, Duration maximumDelay) {
  private static final RetryPolicy STANDARD =
      new RetryPolicy(4, Duration.ofMillis(250), Duration.ofSeconds(30));

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException when one is out of its range
   */
  public RetryPolicy {
    if (attempts < 1 || attempts > 100) {
      throw new IllegalArgumentException("attempts must be 1 to 100, was " + attempts);
    }
    if (firstDelay.isNegative() || firstDelay.compareTo(maximumDelay) > 0) {
      throw new IllegalArgumentException(
          "firstDelay must be 0 to maximumDelay, was " + firstDelay + " of " + maximumDelay);
    }
  }

  /** Four attempts, waits of up to 250 ms, 500 ms and 1 s, Retry-After up to 30 s. */
  public static RetryPolicy standard() {
    return STANDARD;
  }

  /** One attempt. */
  public static RetryPolicy none() {
    return STANDARD.withAttempts(1);
  }

  /** This policy with another number of attempts, the first included. */
  public RetryPolicy withAttempts(int attempts) {
    return new RetryPolicy(attempts, firstDelay, maximumDelay);
  }

  /** This policy with another bound of the wait before the second attempt. */
  public RetryPolicy withFirstDelay(Duration firstDelay) {
    return new RetryPolicy(attempts, firstDelay, maximumDelay);
  }

  /** This policy with another bound of any wait. */
  public RetryPolicy withMaximumDelay(Duration maximumDelay) {
    return new RetryPolicy(attempts, firstDelay, maximumDelay);
  }

  /**
   * How long to wait after so many attempts.
   *
   * @param random 0 to 1
   */
  Duration delayAfter(int attempt, double random) {
    double bound = (double) firstDelay.toMillis() * Math.pow(2, attempt - 1.0);
    return Duration.ofMillis((long) (random * Math.min(bound, (double) maximumDelay.toMillis())));
  }
}
